import { childrenOf, nodeAt, type TreeIndex } from './index-tree.ts'

type OutlineStep = { choose: number } | { toggle: number } | { open: true }

const page = 15

/**
 * The action of a key, following the ARIA pattern for trees. Up and down move through the visible rows. Right expands
 * a node or moves to its first child; left collapses it or moves to its parent. Null if the key has no action.
 *
 * @param rows - the visible nodes in order
 * @param at - the position of the active node among them
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
