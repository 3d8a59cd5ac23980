import type { GuideNode } from './guide-types.ts'

const blocks = new Set(['p', 'li', 'td', 'th', 'tr', 'code-block', 'h2', 'h3', 'h4', 'br'])

export function nodeText(nodes: GuideNode[]): string {
  return nodes
    .map((node) =>
      typeof node === 'string' ? node : nodeText(node.children) + (blocks.has(node.tag) ? ' ' : ''),
    )
    .join('')
}
