import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import json from 'highlight.js/lib/languages/json'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'
import type { Token } from 'markdown-it'
import markdownIt from 'markdown-it'
import type {
  GuideElement,
  GuideHeading,
  GuideNode,
  GuidePageContent,
} from '../../pages/guide/guide-types.ts'
import { nodeText } from '../../pages/guide/node-text.ts'

const languages: Record<string, Parameters<typeof hljs.registerLanguage>[1]> = {
  sh: bash,
  json,
  python,
  ts: typescript,
}
/** In commands, words that a shell knows (`--split`, `export`) get no highlighting. */
const shownInCommands = new Set(['hljs-comment', 'hljs-string', 'hljs-variable'])

for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

const entities: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

const markdown = markdownIt({ html: false, linkify: false })

/**
 * Reads a page of docs/. HTML markup in it is text, and links between pages become guide addresses. Pictures keep
 * their path (`pictures/tree.webp`), which the caller replaces by an address.
 */
export function readGuidePage(name: string, source: string): GuidePageContent {
  const nodes = tokenTree(markdown.parse(withoutComments(source), {}), name)
  const [first, ...rest] = nodes
  if (first === undefined || typeof first === 'string' || first.tag !== 'h1') {
    throw new Error(`docs/${name}.md does not begin with its title.`)
  }
  const headings: GuideHeading[] = []
  let frames = 0
  const nameAnchor = nameAnchors()
  nameAnchor(nodeText(first.children))
  visitElements(rest, (element) => {
    if (/^h[2-6]$/.test(element.tag)) {
      const text = nodeText(element.children)
      const id = nameAnchor(text)
      element.attributes = { id }
      if (element.tag === 'h2' || element.tag === 'h3') {
        headings.push({ id, text, level: element.tag === 'h2' ? 2 : 3 })
      }
    }
    if (element.tag === 'table' || element.tag === 'code-block') {
      // Each needs a unique name for screen readers.
      frames += 1
      element.attributes = { ...element.attributes, place: `${frames}` }
    }
    if (element.tag === 'a') element.attributes = linkAttributes(name, element.attributes?.href ?? '')
  })
  return { name, title: nodeText(first.children), headings, nodes: rest }
}

export function visitElements(nodes: GuideNode[], visit: (element: GuideElement) => void): void {
  for (const node of nodes) {
    if (typeof node === 'string') continue
    visit(node)
    visitElements(node.children, visit)
  }
}

function linkAttributes(page: string, target: string): Record<string, string> {
  const link = guideLink(page, target)
  if (link.kind === 'web') return { href: link.address }
  if (link.kind === 'file') return { file: link.path }
  return { to: `/guide/${link.page}${link.anchor === null ? '' : `#${link.anchor}`}` }
}

function withoutComments(source: string): string {
  let isCode = false
  return source
    .split('\n')
    .filter((line) => {
      if (line.startsWith('```')) isCode = !isCode
      return isCode || !/^<!--.*-->$/.test(line.trim())
    })
    .join('\n')
}

type GuideLink =
  | { kind: 'page'; page: string; anchor: string | null }
  | { kind: 'web'; address: string }
  | { kind: 'file'; path: string }

/**
 * Reads the target of a link in `docs/{page}.md`.
 *
 * @example
 * guideLink('methods', 'datasets.md#gates') // { kind: 'page', page: 'datasets', anchor: 'gates' }
 * guideLink('methods', '../README.md') // { kind: 'file', path: 'README.md' }
 * guideLink('architecture', 'decisions/README.md') // { kind: 'file', path: 'docs/decisions/README.md' }
 */
export function guideLink(page: string, target: string): GuideLink {
  if (/^https:\/\//.test(target)) return { kind: 'web', address: target }
  if (/^[a-z][a-z0-9+.-]*:/i.test(target)) throw new Error(`docs/${page}.md links to ${target}: only https.`)
  const [path = '', anchor] = target.split('#')
  if (path === '') return { kind: 'page', page, anchor: anchor ?? null }
  const name = /^([a-z0-9-]+)\.md$/.exec(path)?.[1]
  if (name !== undefined) return { kind: 'page', page: name, anchor: anchor ?? null }
  return { kind: 'file', path: path.startsWith('../') ? path.slice('../'.length) : `docs/${path}` }
}

/**
 * Names the anchors of one page's headings as GitHub does: lower case, hyphens for spaces, no other marks. A
 * duplicate gets a number.
 *
 * @example
 * const nameAnchor = nameAnchors()
 * nameAnchor('One path: `act`, `react`') // 'one-path-act-react'
 */
function nameAnchors(): (heading: string) => string {
  const given = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const before = given.get(anchor) ?? 0
    given.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
}

function tokenTree(tokens: Token[], page: string): GuideNode[] {
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

export function highlightCode(code: string, language: string): GuideNode[] {
  if (!(language in languages)) return [code]
  const shows = (name: string): boolean => language !== 'sh' || shownInCommands.has(name)
  return readSpans(hljs.highlight(code, { language }).value, shows)
}

function readSpans(markup: string, shows: (name: string) => boolean): GuideNode[] {
  const open: GuideNode[][] = [[]]
  const classes: string[] = []
  for (const [piece, name] of markup.matchAll(/<span class="([^"]+)">|<\/span>|[^<]+/g)) {
    if (piece === '</span>') {
      const children = open.pop() ?? []
      const name = classes.pop() ?? ''
      if (shows(name)) open.at(-1)?.push({ tag: 'span', attributes: { class: name }, children })
      else open.at(-1)?.push(...children)
    } else if (name !== undefined) {
      open.push([])
      classes.push(name)
    } else {
      open
        .at(-1)
        ?.push(piece.replaceAll(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity))
    }
  }
  return open[0] ?? []
}
