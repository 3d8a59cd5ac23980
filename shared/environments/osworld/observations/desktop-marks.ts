import { readAccessibleNodes } from './read-accessible-nodes.ts'
import { shownNodes, writeCell } from './shown-nodes.ts'

/** A box on the screen, in pixels. */
export interface DesktopBox {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** A numbered mark on a screenshot. */
export interface DesktopMark extends DesktopBox {
  /** From 1 up. */
  readonly index: number
  readonly tag: string
  readonly name: string
  readonly text: string
}

/** The first line of the table of marks. */
export const markColumns = 'index\ttag\tname\ttext'

/**
 * The marks that OSWorld draws on a screenshot, from its accessibility tree.
 *
 * @param isPlain whether the screenshot has one colour only inside of a box: such an element gets no mark, and no number
 * @see OSWorld, mm_agents/accessibility_tree_wrap/heuristic_retrieve.py: `draw_bounding_boxes`
 */
export function findDesktopMarks(xml: string, isPlain: (box: DesktopBox) => boolean): DesktopMark[] {
  return shownNodes(readAccessibleNodes(xml), true)
    .filter(({ x, y, width, height }) => !isPlain({ x, y, width, height }))
    .map(({ node, ...box }, place) => {
      return { index: place + 1, tag: node.tag, name: node.name, text: node.text, ...box }
    })
}

/** The marks as a table with tabs. */
export function tableDesktopMarks(marks: readonly DesktopMark[]): string {
  const rows = marks.map(({ index, tag, name, text }) => [index, tag, name, writeCell(text)].join('\t'))
  return [markColumns, ...rows].join('\n')
}
