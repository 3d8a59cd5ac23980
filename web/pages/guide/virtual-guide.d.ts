/** What `web/plugins/guide/guide-plugin.ts` makes of docs/ when the page is built. */
declare module 'virtual:guide' {
  export const sections: import('./guide-types.ts').GuideSection[]
  /** Loads a page, by its name. */
  export const pages: Record<string, () => Promise<{ page: import('./guide-types.ts').GuidePageContent }>>
}

declare module 'virtual:guide/search' {
  export const passages: import('./guide-types.ts').GuidePassage[]
}
