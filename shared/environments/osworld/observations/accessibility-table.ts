import { type AccessibleNode, readAccessibleNodes } from './read-accessible-nodes.ts'
import { shownNodes, writeCell } from './shown-nodes.ts'

/** The first line of the table. */
export const accessibilityColumns = 'tag\tname\ttext\tclass\tdescription\tposition (top-left x&y)\tsize (w&h)'

/**
 * OSWorld's code looks for classes and descriptions where Windows has them, also on Ubuntu, so that the published prompts have none.
 * These columns are therefore empty for trees of Linux.
 */
const described = 'https://accessibility.windows.example.org/ns/attributes'
const component = 'https://accessibility.ubuntu.example.org/ns/component'

/**
 * An accessibility tree as OSWorld shows it to models: a table with tabs, of the elements that can be used or read.
 *
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
