import { childrenOf, nodeAt, type TreeIndex } from './index-tree.ts'

/** What a key does in the outline: another node is chosen, one is collapsed or opened, or its panel is gone to. */
type OutlineStep = { choose: number } | { toggle: number } | { open: true }

/** Rows that PageUp and PageDown pass over. */
const page = 15

/**
 * What a key does, as the ARIA pattern for trees says: up and down through what is shown, right opens or goes to the first
 * child, left collapses or goes to the parent. Null where the key means nothing here.
 *
 * @param rows - the nodes that are shown, in their order
 * @param at - the position of the active one among them
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/treeview/
 */
export function outlineKey(
  key: string,
  {
    index,
    rows,
    collapsed,
    at,
  }: { index: TreeIndex; rows: readonly number[]; collapsed: ReadonlySet<number>; at: number },
): OutlineStep | null {
  const node = rows[at]
  if (node === undefined) return null
  const isInner = childrenOf(index, node).length > 0
  const isOpen = isInner && !collapsed.has(node)
  const row = (position: number): OutlineStep => ({
    choose: rows[Math.min(rows.length - 1, Math.max(0, position))] ?? node,
  })
  switch (key) {
    case 'ArrowDown':
      return row(at + 1)
    case 'ArrowUp':
      return row(at - 1)
    case 'PageDown':
      return row(at + page)
    case 'PageUp':
      return row(at - page)
    case 'Home':
      return row(0)
    case 'End':
      return row(rows.length - 1)
    case 'ArrowRight':
      if (isOpen) return { choose: childrenOf(index, node)[0] ?? node }
      return isInner ? { toggle: node } : { choose: node }
    case 'ArrowLeft':
      return isOpen ? { toggle: node } : { choose: nodeAt(index, node).parent ?? node }
    case ' ':
      return isInner ? { toggle: node } : { choose: node }
    case 'Enter':
      return { open: true }
    default:
      return null
  }
}
