import { z } from 'zod'
import type { RowOf } from '../../contracts/dataset-row.ts'
import type { LeftOutReason } from '../../contracts/left-out-reasons.ts'
import type { Tree } from '../../contracts/tree.ts'
import { countPictures } from '../../search/newest-pictures.ts'
import type { Attempt } from '../attempt.ts'
import type { DatasetKind, FoundRow } from '../kind.ts'
import { pathTo } from '../path-to.ts'
import { type SeenPictures, seenPictures } from '../seen-pictures.ts'
import { findRows } from './find-rows.ts'
import { nodeAt } from './node-at.ts'
import { noEndsReason, pathEnds, pathsSchema } from './path-ends.ts'
import { type RenderedPath, renderPath } from './render-path.ts'

const parameters = z.strictObject({
  paths: pathsSchema
    .default('ends')
    .describe('Every way that was played to its end, or `answer`: only the way to the answer.'),
  labels: z
    .enum(['threshold', 'increase'])
    .default('threshold')
    .describe(
      'When a step is good. `threshold`: its value reaches `threshold`. `increase`: its value is above that of the step before, or equal to it and reaches `threshold`.',
    ),
  threshold: z.number().min(0).max(1).default(0.5),
})

export type ProcessRewardParameters = z.infer<typeof parameters>

type Row = RowOf<'process'>

/**
 * Paths step by step with the values that the search gave each step. A path is rendered as far as it was visited: below that
 * there are no values. Each answer but the first is preceded by the observation, on lines of its own.
 */
export const processReward: DatasetKind<ProcessRewardParameters, Row> = {
  id: 'process-reward',
  description: 'Paths with a value and a label for every step.',
  source:
    'Wang et al. 2024, Math-Shepherd (arXiv 2312.08935): a step is worth the mean outcome of what was played from it, here from the tree as in Luo et al. 2024, OmegaPRM (arXiv 2406.06592); `increase` after Setlur et al. 2024 (arXiv 2410.08146). The threshold is a choice of this project',
  rowType: 'process',
  showsPictures: false,
  parameters,
  rows: ({ attempts }, options, scope) =>
    findRows(attempts, scope, {
      keepOut: ({ reward }) => (reward === null ? 'no_reward' : null),
      read: (tree, attempt) => readRows(tree, attempt, seenPictures(attempt, scope), options),
    }),
}

function* readRows(
  tree: Tree,
  attempt: Attempt,
  seen: SeenPictures,
  options: ProcessRewardParameters,
): Generator<FoundRow<Row>, LeftOutReason> {
  const ends = pathEnds(tree, attempt, options.paths)
  const rewards = new Map(ends.map(({ id, reward }) => [id, reward]))
  const lastVisited = new Set(ends.map(({ id }) => visitedEnd(tree, id)))
  let reason: LeftOutReason = ends.length === 0 ? noEndsReason(options.paths) : 'no_values'
  for (const end of lastVisited) {
    if (end === 0) continue
    const path = renderPath(tree, end, seen)
    if (typeof path === 'string') {
      reason = path
      continue
    }
    // A path that is rendered in part has no reward: it did not end there.
    const origin = { attempt, node_ids: path.node_ids, reward: rewards.get(end) ?? null }
    // Completions are texts: what the turns show is left out here, and the prompt's with that of other kinds.
    const left_out_pictures = countPictures(path.turns)
    yield { row: toRow(tree, path, options), origin, left_out_pictures }
  }
  return reason
}

/** The last node on the way that was visited, as all before it were. */
function visitedEnd(tree: Tree, end: number): number {
  const path = pathTo(tree, end)
  const unvisited = path.findIndex((id, place) => place > 0 && nodeAt(tree, id).visits === 0)
  return (unvisited === -1 ? end : path[unvisited - 1]) ?? 0
}

function toRow(tree: Tree, path: RenderedPath, { labels, threshold }: ProcessRewardParameters): Row {
  const [start = 0, ...values] = path.node_ids.map((id) => nodeAt(tree, id).value)
  const isGood = (value: number, place: number) => {
    const before = values[place - 1] ?? start
    return labels === 'increase'
      ? value > before || (value === before && value >= threshold)
      : value >= threshold
  }
  return {
    type: 'process',
    prompt: path.head,
    completions: completionsOf(path),
    labels: values.map(isGood),
    values,
  }
}

function completionsOf({ turns }: RenderedPath): string[] {
  return turns.flatMap(({ role, content }, place) => {
    if (role !== 'assistant') return []
    const shown = turns[place - 1]
    return shown === undefined ? [content] : [`${shown.content}\n${content}`]
  })
}
