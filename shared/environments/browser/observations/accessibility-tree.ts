import { pythonRepr, pythonStrip } from '../../python-text.ts'
import { pythonText } from '../python-value.ts'
import { type Bounds, isInViewport, liftChildren, type SeenPage, type ViewportSize } from './seen-page.ts'

export interface AccessibilityNode {
  nodeId: string
  parentId?: string
  childIds?: string[]
  role?: { value?: unknown }
  name?: { value?: unknown }
  properties?: { name: string; value: { value?: unknown } }[]
  backendDOMNodeId?: number
  bounds: Bounds | undefined
}

export interface AccessibilityTreeOptions {
  /** Shows only nodes in a viewport of this size. @default the whole page */
  viewport?: ViewportSize
  /**
   * Leaves out output that the Chromium of the published prompts lacked: `InlineTextBox` lines and addresses of
   * links.
   */
  asPublished?: boolean
}

const ignoredProperties = new Set([
  'focusable',
  'editable',
  'readonly',
  'level',
  'settable',
  'multiline',
  'invalid',
])
const emptyRoles = new Set([
  'generic',
  'img',
  'list',
  'strong',
  'paragraph',
  'banner',
  'navigation',
  'Section',
  'LabelText',
  'Legend',
  'listitem',
])
const linesLookedBack = 3

interface Line {
  depth: number
  body: string
  node: AccessibilityNode
}

/**
 * Renders the page as VisualWebArena's observation `accessibility_tree`: a line for each node, `[id] role 'name'
 * properties`, with tabs for the depth. Ids follow the order of appearance, so equal pages have equal ids. A text
 * that the lines just before it contain is left out. The reference also searches their ids, so digits of an id can
 * hide a text. Here only roles, names and properties are searched.
 */
export function renderAccessibilityTree(
  given: readonly AccessibilityNode[],
  { viewport, asPublished = false }: AccessibilityTreeOptions = {},
): SeenPage {
  const nodes = new Map<string, AccessibilityNode & { parent: string | undefined; children: string[] }>()
  for (const node of given) {
    if (nodes.has(node.nodeId)) continue
    nodes.set(node.nodeId, { ...node, parent: node.parentId, children: [...(node.childIds ?? [])] })
  }
  if (viewport !== undefined) liftChildren(nodes, (id) => !isInViewport(nodes.get(id)?.bounds, viewport))

  const lines: Line[] = []
  const root = given[0]
  if (root !== undefined) addLines(root.nodeId, 0)
  return numberLines(withoutRepeatedTexts(lines))

  function addLines(id: string, depth: number): void {
    const node = nodes.get(id)
    if (node === undefined) return
    const body = describeNode(node, asPublished)
    if (body !== undefined) lines.push({ depth, body, node })
    // The reference fails on nodes without a DOM node after it wrote them, so their children are not deeper.
    const isParent = body !== undefined && node.backendDOMNodeId !== undefined
    for (const child of node.children) addLines(child, isParent ? depth + 1 : depth)
  }
}

function describeNode(node: AccessibilityNode, asPublished: boolean): string | undefined {
  const role = node.role?.value
  const name = node.name?.value
  if (typeof role !== 'string' || typeof name !== 'string') return undefined
  if (asPublished && role === 'InlineTextBox') return undefined
  const properties = (node.properties ?? [])
    .filter((property) => !ignoredProperties.has(property.name) && property.value.value !== undefined)
    .filter((property) => !(asPublished && property.name === 'url'))
    .map((property) => `${property.name}: ${pythonText(property.value.value)}`)
  if (pythonStrip(name) === '') {
    if (properties.length === 0 ? emptyRoles.has(role) : role === 'listitem') return undefined
  }
  return [role, pythonRepr(name), ...properties].join(' ')
}

function withoutRepeatedTexts(lines: readonly Line[]): Line[] {
  const kept: Line[] = []
  for (const line of lines) {
    if (line.body.toLowerCase().includes('statictext')) {
      if (!line.body.startsWith('StaticText ')) continue
      const text = line.body.slice('StaticText '.length).slice(1, -1)
      const before = kept.slice(-linesLookedBack)
      if (text === '' || before.some(({ body }) => body.includes(text))) continue
    }
    kept.push(line)
  }
  return kept
}

function numberLines(lines: readonly Line[]): SeenPage {
  const elements = new Map(
    lines.flatMap(({ body, node }, index) =>
      node.backendDOMNodeId === undefined
        ? []
        : [[String(index + 1), { text: `[${index + 1}] ${body}`, bounds: node.bounds }] as const],
    ),
  )
  const text = lines.map(({ depth, body }, index) => `${'\t'.repeat(depth)}[${index + 1}] ${body}`).join('\n')
  return { text, elements }
}
