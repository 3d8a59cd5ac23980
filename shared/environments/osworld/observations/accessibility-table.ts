import { type AccessibleNode, readAccessibleNodes } from './read-accessible-nodes.ts'
import { shownNodes, writeCell } from './shown-nodes.ts'

export const accessibilityColumns = 'tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)'

/**
 * OSWorld's code uses Windows' namespaces for classes and descriptions, also on Ubuntu, so the published prompts have
 * none. These columns are therefore empty for trees of Linux.
 */
const described = 'https://accessibility.windows.example.org/ns/attributes'
const component = 'https://accessibility.ubuntu.example.org/ns/component'

/**
 * Renders an accessibility tree as OSWorld shows it to models: a table with tabs, of the usable or readable elements.
 * @see OSWorld, mm_agents/agent.py: `linearize_accessibility_tree`
 */
export function tableAccessibilityTree(xml: string): string {
  return [accessibilityColumns, ...shownNodes(readAccessibleNodes(xml)).map(({ node }) => row(node))].join(
    '\n',
  )
}

function row(node: AccessibleNode): string {
  const of = (name: string) => node.attributes.get(name) ?? ''
  return [
    node.tag,
    node.name,
    writeCell(node.text),
    of(`${described} class`),
    of(`${described} description`),
    of(`${component} screencoord`),
    of(`${component} size`),
  ].join('\t')
}
