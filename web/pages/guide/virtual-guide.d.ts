declare module 'virtual:guide' {
  export const sections: import('./guide-types.ts').GuideSection[]
  export const pages: Record<string, () => Promise<{ page: import('./guide-types.ts').GuidePageContent }>>
}

declare module 'virtual:guide/search' {
  export const passages: import('./guide-types.ts').GuidePassage[]
}
