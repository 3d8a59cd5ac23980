import { readAccessibleNodes } from './read-accessible-nodes.ts'
import { shownNodes, writeCell } from './shown-nodes.ts'

export interface DesktopBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

export interface DesktopMark extends DesktopBox {
  readonly index: number
  readonly tag: string
  readonly name: string
  readonly text: string
}

export const markColumns = 'index\ttag\tname\ttext'

/**
 * Finds the marks that OSWorld draws on a screenshot, from its accessibility tree.
 * @param isPlain true if the box has a single colour in the screenshot: such an element gets no mark, and no number
 * @see OSWorld, mm_agents/accessibility_tree_wrap/heuristic_retrieve.py: `draw_bounding_boxes`
 */
export function findDesktopMarks(xml: string, isPlain: (box: DesktopBox) => boolean): DesktopMark[] {
  return shownNodes(readAccessibleNodes(xml), true)
    .filter(({ x, y, width, height }) => !isPlain({ x, y, width, height }))
    .map(({ node, ...box }, place) => {
      return { index: place + 1, tag: node.tag, name: node.name, text: node.text, ...box }
    })
}

export function tableDesktopMarks(marks: readonly DesktopMark[]): string {
  const rows = marks.map(({ index, tag, name, text }) => [index, tag, name, writeCell(text)].join('\t'))
  return [markColumns, ...rows].join('\n')
}
