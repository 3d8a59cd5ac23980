export type GuideNode = string | GuideElement

export interface GuideElement {
  tag: string
  attributes?: Record<string, string>
  children: GuideNode[]
}

export interface GuideHeading {
  id: string
  text: string
  level: 2 | 3
}

export interface GuidePageContent {
  name: string
  title: string
  headings: GuideHeading[]
  nodes: GuideNode[]
}

export interface GuidePassage {
  page: string
  title: string
  heading: { id: string; text: string } | null
  text: string
}

export interface GuideSection {
  title: string
  pages: { name: string; title: string }[]
}
