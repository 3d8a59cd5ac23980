import type { LoopLineage } from '../../../shared/core/contracts/loop-report.ts'

export type LineageNode = LoopLineage['nodes'][number]

export interface PlacedNode extends LineageNode {
  x: number
  y: number
}

const columns: Record<LineageNode['kind'], number> = {
  model: 0,
  training: 1,
  dataset: 2,
  run: 3,
  trajectories: 3,
  nodes: 4,
}

export const nodeSize = { width: 212, height: 44 }
const gap = { x: 50, y: 14 }

export function placeLineage({ nodes }: Pick<LoopLineage, 'nodes'>): {
  nodes: PlacedNode[]
  width: number
  height: number
} {
  const counts = new Map<number, number>()
  const placed = nodes.map((node): PlacedNode => {
    const column = columns[node.kind]
    const row = counts.get(column) ?? 0
    counts.set(column, row + 1)
    return { ...node, x: column * (nodeSize.width + gap.x), y: row * (nodeSize.height + gap.y) }
  })
  const rows = Math.max(0, ...counts.values())
  return {
    nodes: placed,
    width: 5 * nodeSize.width + 4 * gap.x,
    height: Math.max(0, rows * (nodeSize.height + gap.y) - gap.y),
  }
}
