/** A part of a guide page: text, or an element with what is in it. It becomes React elements, never markup. */
export type GuideNode = string | GuideElement

export interface GuideElement {
  tag: string
  attributes?: Record<string, string>
  children: GuideNode[]
}

export interface GuideHeading {
  /** What the address names it by, after `#`. */
  id: string
  text: string
  level: 2 | 3
}

/** A page of the guide as it is shown. */
export interface GuidePageContent {
  name: string
  title: string
  headings: GuideHeading[]
  nodes: GuideNode[]
}

/** A part of a page, from one heading to the next, as the search looks through it. */
export interface GuidePassage {
  page: string
  title: string
  /** Null for what comes before the first heading. */
  heading: { id: string; text: string } | null
  text: string
}

/** The pages in their order, under the titles of their sections. */
export interface GuideSection {
  title: string
  pages: { name: string; title: string }[]
}
