import type { AccessibleNode } from './read-accessible-nodes.ts'

const namespace = (name: string) => `https://accessibility.ubuntu.example.org/ns/${name}`
const states = namespace('state')
const component = namespace('component')

const endings =
  /^document|(?:item|button|heading|label|scrollbar|searchbox|textbox|link|tabelement|textfield|textarea|menu)$/
const roles = new Set([
  ...['alert', 'canvas', 'check-box', 'combo-box', 'entry', 'icon', 'image', 'paragraph', 'scroll-bar'],
  ...['section', 'slider', 'static', 'table-cell', 'terminal', 'text', 'netuiribbontab', 'start'],
  ...['trayclockwclass', 'traydummysearchcontrol', 'uiimage', 'uiproperty', 'uiribboncommandbar'],
])

export interface ShownNode {
  readonly node: AccessibleNode
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * The elements that OSWorld shows of a tree: on the screen, of usable or readable roles, in a usable state, and with
 * a name or a text.
 * @param withImages also elements declared as images, which need no name (those of marks)
 * @see OSWorld, mm_agents/accessibility_tree_wrap/heuristic_retrieve.py, for Ubuntu
 */
export function shownNodes(nodes: readonly AccessibleNode[], withImages = false): ShownNode[] {
  return nodes.flatMap((node): ShownNode[] => {
    if (!endings.test(node.tag) && !roles.has(node.tag)) return []
    const is = (state: string) => node.attributes.get(`${states} ${state}`) === 'true'
    if (!is('showing') || !is('visible')) return []
    if (!['enabled', 'editable', 'expandable', 'checkable'].some(is)) return []
    const isImage = withImages && node.attributes.get('image') === 'true'
    if (node.name === '' && node.text === '' && !isImage) return []
    const at = readPair(node.attributes.get(`${component} screencoord`))
    const size = readPair(node.attributes.get(`${component} size`))
    if (at === null || size === null) return []
    const [x, y] = at
    const [width, height] = size
    return x >= 0 && y >= 0 && width > 0 && height > 0 ? [{ node, x, y, width, height }] : []
  })
}

function readPair(written: string | undefined): [number, number] | null {
  const [, one, other] = /^\(\s*(-?\d+)\s*,\s*(-?\d+)\s*\)$/.exec(written ?? '') ?? []
  return one === undefined || other === undefined ? null : [Number(one), Number(other)]
}

export function writeCell(text: string): string {
  if (text === '') return '""'
  return text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
}
