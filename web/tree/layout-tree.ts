import { type HierarchyPointNode, hierarchy, tree as tidyTree } from 'd3-hierarchy'
import { childrenOf, type TreeIndex } from './index-tree.ts'

/** Distance between two levels: the action's label and the curve to it. */
export const columnWidth = 240

export const rowHeight = 32

/**
 * The positions of a tree's nodes, from left to right. Units are pixels at a scale of 1; the root is at the origin.
 */
export interface TreeLayout {
  nodes: readonly number[]
  /** One entry for each node of the tree; NaN if hidden. */
  x: Float64Array
  y: Float64Array
  bounds: { left: number; right: number; top: number; bottom: number }
}

/**
 * Lays out the visible nodes with the tidy-tree algorithm of Reingold and Tilford, skipping nodes below a collapsed
 * one.
 */
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

export function isPlaced({ x }: TreeLayout, node: number): boolean {
  return !Number.isNaN(x[node] ?? Number.NaN)
}
