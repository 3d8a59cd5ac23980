import type { Growth } from '../../shared/contracts/growth.ts'
import type { Tree } from '../../shared/contracts/tree.ts'

/** The nodes that the step is about that was the last of so many, each once, as far as the tree has them. */
export function nodesOfStep({ nodes }: Tree, { steps }: Growth, happened: number): number[] {
  const events = steps[happened - 1]?.events ?? []
  return [...new Set(events.map(({ node }) => node))].filter((node) => node < nodes.length)
}
