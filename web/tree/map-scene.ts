import { childrenOf, pathTo, type TreeIndex } from './index-tree.ts'
import type { TreeLayout } from './layout-tree.ts'
import type { TreeMoment } from './tree-moment.ts'
import type { ValueRange } from './value-colour.ts'

/** All that a map shows. */
export interface MapScene {
  index: TreeIndex
  layout: TreeLayout
  moment: TreeMoment
  range: ValueRange
  /** Visits that are drawn as the largest node: those of the root in the end. */
  mostVisits: number
  collapsed: ReadonlySet<number>
  hits: ReadonlySet<number>
  chosen: number | null
  /** The nodes that the step of the growth that is shown is about; none where the whole search is shown. */
  happening: readonly number[]
}

const leastRadius = 3.5
const mostRadius = 12

/** A node's radius at a scale of 1: its area shows its visits. */
export function radiusOf({ moment, mostVisits }: MapScene, node: number): number {
  const share = (moment.visits[node] ?? 0) / Math.max(1, mostVisits)
  return Math.max(leastRadius, mostRadius * Math.sqrt(share))
}

/** The nodes that lead to the answer of the moment, itself included. */
export function bestPath({ index, moment }: Pick<MapScene, 'index' | 'moment'>): Set<number> {
  return new Set(pathTo(index, moment.best))
}

/** Whether nodes are hidden below this one. */
export function hidesNodes({ index, collapsed }: MapScene, node: number): boolean {
  return collapsed.has(node) && childrenOf(index, node).length > 0
}
