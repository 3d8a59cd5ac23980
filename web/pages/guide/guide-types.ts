/** A text or an element of a guide page. It becomes React elements, never raw markup. */
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

/** A section of a page, from one heading to the next: the unit of the search. */
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
