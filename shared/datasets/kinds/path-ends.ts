import { z } from 'zod'
import type { Tree } from '../../contracts/tree.ts'
import type { AttemptFacts } from '../attempt.ts'
import { nodeAt } from './node-at.ts'

export const pathsSchema = z.enum(['answer', 'ends'])

/** Which paths of a tree are looked at: the one to its answer, or every one that was played to its end. */
export type Paths = z.infer<typeof pathsSchema>

/** The end of a path, and its reward. */
export interface PathEnd {
  id: number
  reward: number
}

/**
 * Where the paths lead, in the order in which the nodes were found. Ends are the leaves where the task was over or the path as
 * long as it may get, and the answer; a leaf at which a search only stopped looking is none.
 */
export function pathEnds(tree: Tree, { reward }: AttemptFacts, paths: Paths): PathEnd[] {
  const ids = new Set(paths === 'ends' ? closedLeaves(tree) : [])
  if (tree.best !== 0) ids.add(tree.best)
  return [...ids]
    .toSorted((left, right) => left - right)
    .map((id) => ({ id, reward: (id === tree.best ? reward : null) ?? nodeAt(tree, id).reward }))
}

/**
 * From which reward on an end counts as a success, where nothing else is asked for: what the answer reached, if it was a
 * success; otherwise the whole reward.
 */
export function successBar({ success, reward }: AttemptFacts): number {
  return success && reward !== null ? reward : 1
}

function closedLeaves({ nodes }: Tree): number[] {
  const parents = new Set(nodes.map(({ parent }) => parent))
  return nodes.flatMap(({ parent, terminal, done }, id) =>
    parent !== null && (terminal || done) && !parents.has(id) ? [id] : [],
  )
}

/** Why a tree has no such paths. */
export function noEndsReason(paths: Paths): 'no_end' | 'no_model_message' {
  return paths === 'ends' ? 'no_end' : 'no_model_message'
}
