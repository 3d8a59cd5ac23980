import type { Colouring } from './colouring.ts'
import { childrenOf, pathTo, type TreeIndex } from './index-tree.ts'
import type { TreeLayout } from './layout-tree.ts'
import type { Flow } from './merged-scene.ts'
import type { TreeMoment } from './tree-moment.ts'
import type { ValueRange } from './value-colour.ts'

export interface MapScene {
  index: TreeIndex
  layout: TreeLayout
  moment: TreeMoment
  range: ValueRange
  /** Absent: colours show values. */
  colouring?: Colouring
  mostVisits: number
  collapsed: ReadonlySet<number>
  hits: ReadonlySet<number>
  chosen: number | null
  // The page chose the answer itself, so the map still opens with the whole tree.
  isAnswerAtFirst?: boolean
  happening: readonly number[]
  // Of a merged graph: the looks of its edges, and those beside the tree.
  flow?: Flow
}

const leastRadius = 3.5
const mostRadius = 12

export function radiusOf({ moment, mostVisits }: MapScene, node: number): number {
  const share = (moment.visits[node] ?? 0) / Math.max(1, mostVisits)
  return Math.max(leastRadius, mostRadius * Math.sqrt(share))
}

export function bestPath({ index, moment }: Pick<MapScene, 'index' | 'moment'>): Set<number> {
  return new Set(pathTo(index, moment.best))
}

export function hidesNodes({ index, collapsed }: MapScene, node: number): boolean {
  return collapsed.has(node) && childrenOf(index, node).length > 0
}
