import type { Growth } from '../../shared/core/contracts/growth.ts'
import type { Tree } from '../../shared/core/contracts/tree.ts'

export function nodesOfStep({ nodes }: Tree, { steps }: Growth, happened: number): number[] {
  const events = steps[happened - 1]?.events ?? []
  return [...new Set(events.map(({ node }) => node))].filter((node) => node < nodes.length)
}
