import { childrenOf, nodeAt } from './index-tree.ts'
import type { MapScene } from './map-scene.ts'

export type Direction = 'parent' | 'child' | 'previous' | 'next'

export function moveFrom(
  { index, layout, moment }: Pick<MapScene, 'index' | 'layout' | 'moment'>,
  node: number,
  direction: Direction,
): number {
  const { parent, depth } = nodeAt(index, node)
  if (direction === 'parent') return parent ?? node
  if (direction === 'child') {
    const visits = (each: number) => moment.visits[each] ?? 0
    return childrenOf(index, node)
      .filter((child) => child < moment.count)
      .reduce((best, child) => (best === node || visits(child) > visits(best) ? child : best), node)
  }
  const height = (each: number) => layout.y[each] ?? 0
  const level = layout.nodes
    .filter((each) => each < moment.count && nodeAt(index, each).depth === depth)
    .toSorted((above, below) => height(above) - height(below))
  return level[level.indexOf(node) + (direction === 'next' ? 1 : -1)] ?? node
}
