import type { GuideSection } from './guide-types.ts'

type PageName = GuideSection['pages'][number]

export function guideNeighbours(
  sections: readonly GuideSection[],
  name: string,
): { previous: PageName | null; next: PageName | null } {
  const pages = sections.flatMap(({ pages }) => pages)
  const at = pages.findIndex((page) => page.name === name)
  if (at < 0) return { previous: null, next: null }
  return { previous: pages[at - 1] ?? null, next: pages[at + 1] ?? null }
}
