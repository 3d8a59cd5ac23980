import { z } from 'zod'
import type { RowOf } from '../../../core/contracts/dataset-row.ts'
import { scoreNameSchema } from '../../../core/contracts/judgement.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { countPictures } from '../../../play/search/newest-pictures.ts'
import type { Attempt } from '../attempt.ts'
import type { DatasetKind, FoundRow } from '../kind.ts'
import { pathTo } from '../path-to.ts'
import { type SeenPictures, seenPictures } from '../seen-pictures.ts'
import { isSameValue, reachesValue } from './compare-values.ts'
import { findRows } from './find-rows.ts'
import { nodeAt } from './node-at.ts'
import { noEndsReason, pathEnds, pathsSchema } from './path-ends.ts'
import { type RenderedPath, renderPath } from './render-path.ts'

const parameters = z
  .strictObject({
    paths: pathsSchema
      .default('ends')
      .describe(
        '`ends`: every path that the search played to its end. `answer`: only the path to the answer.',
      ),
    labels: z
      .enum(['threshold', 'increase'])
      .default('threshold')
      .describe(
        'Rule for a good step. `threshold`: its value reaches `threshold`. `increase`: its value is above that of the step before, or equal to it and reaches `threshold`.',
      ),
    threshold: z.number().min(0).max(1).default(0.5),
    judged: scoreNameSchema
      .optional()
      .describe(
        'Name of judgements of steps, such as people’s labels, to use instead of the tree’s values; each path ends before its first unjudged step.',
      ),
  })
  .refine(({ judged, labels }) => judged === undefined || labels === 'threshold', {
    path: ['labels'],
    error: 'must be threshold where steps were judged: nothing was judged before the first',
  })

export type ProcessRewardParameters = z.infer<typeof parameters>

type Row = RowOf<'process'>

/**
 * Paths step by step with the search's values of each step, or with judged ones. Renders a path as far as it was
 * visited, or judged: below that there are no values. An observation precedes each answer but the first, on lines of
 * its own.
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
      keepOut: ({ reward, steps = {} }) => {
        if (options.judged !== undefined) return Object.keys(steps).length === 0 ? 'no_score' : null
        return reward === null ? 'no_reward' : null
      },
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
  const valueAt = valuesOf(tree, attempt, options)
  const lastValued = new Set(ends.map(({ id }) => valuedEnd(tree, id, valueAt)))
  const without = options.judged === undefined ? 'no_values' : 'no_score'
  let reason: LeftOutReason = ends.length === 0 ? noEndsReason(options.paths) : without
  for (const end of lastValued) {
    if (end === 0) continue
    const path = renderPath(tree, end, seen)
    if (typeof path === 'string') {
      reason = path
      continue
    }
    // A partly rendered path has no reward: it did not end there.
    const origin = { attempt, node_ids: path.node_ids, reward: rewards.get(end) ?? null }
    // Completions are texts, so pictures of the turns are left out here. The prompt's are left out as in other kinds.
    const left_out_pictures = countPictures(path.turns)
    const left_out_thoughts = path.turns.filter(({ reasoning }) => reasoning !== undefined).length
    yield { row: toRow(path, valueAt, options), origin, left_out_pictures, left_out_thoughts }
  }
  return reason
}

type ValueAt = (node: number) => number | null

function valuesOf(tree: Tree, { steps = {} }: Attempt, { judged }: ProcessRewardParameters): ValueAt {
  if (judged !== undefined) return (node) => steps[node] ?? null
  return (node) => {
    const { value, visits } = nodeAt(tree, node)
    return visits === 0 && node !== 0 ? null : value
  }
}

function valuedEnd(tree: Tree, end: number, valueAt: ValueAt): number {
  const path = pathTo(tree, end)
  const without = path.findIndex((id, place) => place > 0 && valueAt(id) === null)
  return (without === -1 ? end : path[without - 1]) ?? 0
}

function toRow(path: RenderedPath, valueAt: ValueAt, { labels, threshold }: ProcessRewardParameters): Row {
  const [start = 0, ...values] = path.node_ids.map((id) => valueAt(id) ?? 0)
  const isGood = (value: number, place: number) => {
    const before = values[place - 1] ?? start
    if (labels === 'increase' && !isSameValue(value, before)) return value > before
    return reachesValue(value, threshold)
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
