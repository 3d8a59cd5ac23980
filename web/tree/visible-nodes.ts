import { childrenOf, nodeAt, pathTo, type TreeIndex } from './index-tree.ts'
import type { TreeMoment } from './tree-moment.ts'

export const mostOpened = 2000

const shownAtFirst = 80

export function visibleNodes(index: TreeIndex, collapsed: ReadonlySet<number>): number[] {
  const order: number[] = []
  const waiting = [0]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    order.push(node)
    if (collapsed.has(node)) continue
    const children = childrenOf(index, node)
    for (let at = children.length - 1; at >= 0; at--) waiting.push(children[at] as number)
  }
  return order
}

export function collapsedAtFirst(index: TreeIndex, { visits, best }: TreeMoment): Set<number> {
  const inner = index.children.flatMap((children, node) => (children.length > 0 ? [node] : []))
  if (index.tree.nodes.length <= mostOpened) return new Set()
  const opened = new Set(pathTo(index, best).filter((node) => childrenOf(index, node).length > 0))
  let shown = 1
  for (const node of opened) shown += childrenOf(index, node).length
  const byVisits = inner.toSorted((left, right) => (visits[right] ?? 0) - (visits[left] ?? 0) || left - right)
  for (const node of byVisits) {
    const more = childrenOf(index, node).length
    const { parent } = nodeAt(index, node)
    const isReachable = parent === null || opened.has(parent)
    if (opened.has(node) || !isReachable || shown + more > shownAtFirst) continue
    opened.add(node)
    shown += more
  }
  return new Set(inner.filter((node) => !opened.has(node)))
}

export function collapseAllBut(index: TreeIndex, node: number): Set<number> {
  const path = new Set(pathTo(index, node))
  return new Set(
    index.children.flatMap((children, each) => (children.length > 0 && !path.has(each) ? [each] : [])),
  )
}

export function revealed(
  index: TreeIndex,
  collapsed: ReadonlySet<number>,
  node: number,
): ReadonlySet<number> {
  const hiding = pathTo(index, node)
    .slice(0, -1)
    .filter((each) => collapsed.has(each))
  if (hiding.length === 0) return collapsed
  const next = new Set(collapsed)
  for (const each of hiding) next.delete(each)
  return next
}

export function toggled(collapsed: ReadonlySet<number>, node: number): Set<number> {
  const next = new Set(collapsed)
  if (!next.delete(node)) next.add(node)
  return next
}
