import { SaxesParser } from 'saxes'

export interface AccessibleNode {
  readonly tag: string
  readonly name: string
  readonly text: string
  /** Keys of attributes with a namespace: the namespace, a blank and the name. */
  readonly attributes: ReadonlyMap<string, string>
}

/**
 * The elements of an accessibility tree, in the order of the document.
 * @throws Error if the text is not XML
 */
export function readAccessibleNodes(xml: string): AccessibleNode[] {
  const nodes: { tag: string; name: string; text: string; attributes: Map<string, string> }[] = []
  const open: { node: (typeof nodes)[number]; isBefore: boolean }[] = []
  const parser = new SaxesParser({ xmlns: true })
  const addText = (text: string) => {
    const inner = open.at(-1)
    if (inner?.isBefore) inner.node.text += text
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('opentag', ({ uri, local, attributes }) => {
    const outer = open.at(-1)
    if (outer) outer.isBefore = false
    const given = new Map(
      Object.values(attributes).map((each) => [
        each.uri === '' ? each.local : `${each.uri} ${each.local}`,
        each.value,
      ]),
    )
    const tag = uri === '' ? local : `{${uri}}${local}`
    const node = { tag, name: given.get('name') ?? '', text: '', attributes: given }
    nodes.push(node)
    open.push({ node, isBefore: true })
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  return nodes
}
