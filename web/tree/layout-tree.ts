import { type HierarchyPointNode, hierarchy, tree as tidyTree } from 'd3-hierarchy'
import { childrenOf, type TreeIndex } from './index-tree.ts'

/** From one level to the next: the label of the action, and the curve that leads to it. */
export const columnWidth = 240

/** From one leaf to the next. */
export const rowHeight = 32

/** The positions of the nodes of a tree, from left to right. Units are pixels at a scale of 1; the root is at the origin. */
export interface TreeLayout {
  /** The nodes that are shown. */
  nodes: readonly number[]
  /** For every node of the tree; NaN where it is hidden. */
  x: Float64Array
  y: Float64Array
  bounds: { left: number; right: number; top: number; bottom: number }
}

/** Lays out what is not below a collapsed node, in the tidy way of Reingold and Tilford. */
export function layOutTree(index: TreeIndex, collapsed: ReadonlySet<number>): TreeLayout {
  const total = index.tree.nodes.length
  const x = new Float64Array(total).fill(Number.NaN)
  const y = new Float64Array(total).fill(Number.NaN)
  const root = hierarchy(0, (node) => (collapsed.has(node) ? [] : childrenOf(index, node)))
  const placed: HierarchyPointNode<number> = tidyTree<number>()
    .nodeSize([rowHeight, columnWidth])
    .separation((left, right) => (left.parent === right.parent ? 1 : 1.4))(root)
  const nodes: number[] = []
  const bounds = { left: 0, right: 0, top: 0, bottom: 0 }
  placed.each(({ data, x: down, y: along }) => {
    nodes.push(data)
    x[data] = along
    y[data] = down
    bounds.right = Math.max(bounds.right, along)
    bounds.top = Math.min(bounds.top, down)
    bounds.bottom = Math.max(bounds.bottom, down)
  })
  return { nodes, x, y, bounds }
}

/** Whether a node is shown. */
export function isPlaced({ x }: TreeLayout, node: number): boolean {
  return !Number.isNaN(x[node] ?? Number.NaN)
}
