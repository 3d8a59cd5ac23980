import { type Bounds, isInViewport, liftChildren, type SeenPage, type ViewportSize } from './seen-page.ts'

export interface DomSnapshot {
  strings: readonly string[]
  nodes: {
    nodeName: readonly number[]
    nodeValue: readonly number[]
    attributes: readonly (readonly number[])[]
    parentIndex: readonly number[]
    backendNodeId: readonly number[]
  }
}

/**
 * Renders the page as VisualWebArena's observation `html`: a line for each element with attributes and each text,
 * with tabs for the depth. An id is the position among the displayed or displayable nodes. Chromium writes an empty
 * value as −1, which the reference reads as the last of all strings: `checked=""` shows that string. The recorded
 * prompts contain it, so this function reproduces it.
 * @param bounds The box of each node, in the snapshot's order.
 * @param viewport Shows only nodes in a viewport of this size. @default the whole page
 */
export function renderHtmlTree(
  snapshot: DomSnapshot,
  bounds: readonly (Bounds | undefined)[],
  viewport?: ViewportSize,
): SeenPage {
  const nodes = snapshot.nodes.parentIndex.map((parent, index) => ({
    id: String(index),
    parent: parent === -1 ? undefined : String(parent),
    children: [] as string[],
    body: describeDomNode(snapshot, index),
    bounds: bounds[index],
  }))
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (const node of nodes) byId.get(node.parent ?? '')?.children.push(node.id)
  const isHidden = ({ bounds: box }: (typeof nodes)[number]) =>
    viewport !== undefined && !isInViewport(box, viewport)
  const shown = nodes.filter((node) => node.parent === undefined || !isHidden(node))
  liftChildren(byId, (id) => byId.has(id) && !shown.some((node) => node.id === id))
  const positions = new Map(shown.map((node, index) => [node.id, index]))

  const lines: string[] = []
  const elements: [string, { text: string; bounds: Bounds | undefined }][] = []
  addLines(shown[0]?.id ?? '', 0)
  return { text: lines.map((line) => `${line}\n`).join(''), elements: new Map(elements) }

  function addLines(id: string, depth: number): void {
    const node = byId.get(id)
    const position = positions.get(id)
    if (node === undefined || position === undefined) return
    if (node.body !== undefined) {
      const text = `[${position}] ${node.body}`
      lines.push('\t'.repeat(depth) + text)
      elements.push([String(position), { text, bounds: node.bounds }])
    }
    for (const child of node.children) addLines(child, node.body === undefined ? depth : depth + 1)
  }
}

function describeDomNode({ strings, nodes }: DomSnapshot, index: number): string | undefined {
  const value = oneLine(strings[nodes.nodeValue[index] ?? -1] ?? '')
  const written = (nodes.attributes[index] ?? []).map((position) => strings.at(position) ?? '')
  const attributes: string[] = []
  for (let at = 0; at + 1 < written.length; at += 2)
    attributes.push(`${written[at]}="${oneLine(written[at + 1] ?? '')}"`)
  if (attributes.length === 0 && value === '') return undefined
  const name = strings[nodes.nodeName[index] ?? -1] ?? ''
  return `<${[name, ...attributes].join(' ')}> ${value}`
}

function oneLine(text: string): string {
  return text.trim().split(/\s+/u).join(' ')
}
