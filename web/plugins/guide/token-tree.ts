import type { Token } from 'markdown-it'
import type { GuideElement, GuideNode } from '../../pages/guide/guide-types.ts'
import { highlightCode } from './highlight-code.ts'

export function tokenTree(tokens: Token[], page: string): GuideNode[] {
  const root: GuideElement = { tag: 'root', children: [] }
  const open = [root]
  for (const token of tokens) {
    // Paragraphs of tight lists are hidden: their text belongs to the item itself.
    if (token.hidden) continue
    if (token.nesting === -1) {
      open.pop()
      continue
    }
    const parent = open.at(-1) ?? root
    if (token.type === 'inline') {
      parent.children.push(...tokenTree(token.children ?? [], page))
      continue
    }
    const node = nodeOf(token, page)
    parent.children.push(node)
    if (token.nesting === 1 && typeof node !== 'string') open.push(node)
  }
  return root.children
}

function nodeOf(token: Token, page: string): GuideNode {
  switch (token.type) {
    case 'text':
    case 'text_special':
      return token.content
    case 'softbreak':
      return ' '
    case 'code_inline':
      return { tag: 'code', children: [token.content] }
    case 'fence': {
      const language = token.info.trim()
      return {
        tag: 'code-block',
        attributes: { language },
        children: highlightCode(token.content.trimEnd(), language),
      }
    }
    case 'image':
      return { tag: 'img', attributes: { ...attributesOf(token), alt: token.content }, children: [] }
    default: {
      if (token.tag === '') throw new Error(`docs/${page}.md has what the guide cannot show: ${token.type}.`)
      return { tag: token.tag, attributes: attributesOf(token), children: [] }
    }
  }
}

function attributesOf(token: Token): Record<string, string> {
  return Object.fromEntries((token.attrs ?? []).map(([name, value]) => [name, String(value)]))
}
