import type { Growth } from '../../shared/contracts/growth.ts'
import type { Tree } from '../../shared/contracts/tree.ts'

/** The nodes of step number `happened`, without duplicates and without nodes that the tree lacks. */
export function nodesOfStep({ nodes }: Tree, { steps }: Growth, happened: number): number[] {
  const events = steps[happened - 1]?.events ?? []
  return [...new Set(events.map(({ node }) => node))].filter((node) => node < nodes.length)
}
