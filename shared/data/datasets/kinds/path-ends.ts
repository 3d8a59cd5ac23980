import { z } from 'zod'
import type { Tree } from '../../../core/contracts/tree.ts'
import type { AttemptFacts } from '../attempt.ts'
import { nodeAt } from './node-at.ts'

export const pathsSchema = z.enum(['answer', 'ends'])

export type Paths = z.infer<typeof pathsSchema>

export interface PathEnd {
  id: number
  reward: number
}

/**
 * The ends of the paths, in the order in which the nodes were found. Ends are the leaves with a finished task or a
 * path of maximum length, and the answer; a leaf at which a search only stopped does not count. `fork-rollouts` backs
 * up the end of each trajectory that it played, and no other node.
 */
export function pathEnds(tree: Tree, { reward }: AttemptFacts, paths: Paths): PathEnd[] {
  const ids = new Set(paths === 'ends' ? closedLeaves(tree) : [])
  if (tree.best !== 0) ids.add(tree.best)
  return [...ids]
    .toSorted((left, right) => left - right)
    .map((id) => ({ id, reward: (id === tree.best ? reward : null) ?? nodeAt(tree, id).reward }))
}

/**
 * Default minimum reward of an end that counts as a success: the answer's reward, if it was a success; otherwise the
 * full reward.
 */
export function successBar({ success, reward }: AttemptFacts): number {
  return success && reward !== null ? reward : 1
}

function closedLeaves({ method, nodes }: Tree): number[] {
  const backsUpEnds = method === 'fork-rollouts'
  const parents = new Set(nodes.map(({ parent }) => parent))
  return nodes.flatMap(({ parent, terminal, done, visits }, id) => {
    const isClosed = terminal || done || (backsUpEnds && visits > 0)
    return parent !== null && isClosed && !parents.has(id) ? [id] : []
  })
}

export function noEndsReason(paths: Paths): 'no_end' | 'no_model_message' {
  return paths === 'ends' ? 'no_end' : 'no_model_message'
}
