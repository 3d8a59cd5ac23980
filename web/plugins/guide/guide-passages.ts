import type { GuideNode, GuidePageContent, GuidePassage } from '../../pages/guide/guide-types.ts'
import { nodeText } from '../../pages/guide/node-text.ts'

/** Divides a page at its headings, for the search. */
export function guidePassages(page: GuidePageContent): GuidePassage[] {
  const passages: { heading: GuidePassage['heading']; nodes: GuideNode[] }[] = [{ heading: null, nodes: [] }]
  for (const node of page.nodes) {
    if (typeof node !== 'string' && /^h[23]$/.test(node.tag)) {
      const heading = { id: node.attributes?.id ?? '', text: nodeText(node.children) }
      passages.push({ heading, nodes: [] })
    } else {
      passages.at(-1)?.nodes.push(node)
    }
  }
  return passages.map(({ heading, nodes }) => ({
    page: page.name,
    title: page.title,
    heading,
    text: nodeText(nodes).replaceAll(/\s+/g, ' ').trim(),
  }))
}
