import { z } from 'zod'
import type { RowOf } from '../../../core/contracts/dataset-row.ts'
import { scoreNameSchema } from '../../../core/contracts/judgement.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { withNewestPictures } from '../../../play/search/newest-pictures.ts'
import type { Attempt } from '../attempt.ts'
import type { DatasetKind, FoundRow, KindScope } from '../kind.ts'
import { pathTo } from '../path-to.ts'
import { type SeenPictures, seenPictures } from '../seen-pictures.ts'
import { reachesValue } from './compare-values.ts'
import { findRows } from './find-rows.ts'
import { nodeAt } from './node-at.ts'
import { noEndsReason, pathEnds, pathsSchema, successBar } from './path-ends.ts'
import { renderPath } from './render-path.ts'
import { renderWhole } from './render-whole.ts'

const stepBar = 0.5

const parameters = z
  .strictObject({
    level: z
      .enum(['trajectory', 'step'])
      .default('trajectory')
      .describe(
        '`trajectory`: all turns of a path, labelled by its reward. `step`: each answer separately, labelled by its node’s value.',
      ),
    paths: pathsSchema
      .default('answer')
      .describe(
        '`answer`: only the path to the answer. `ends`: every path that the search played to its end.',
      ),
    score: scoreNameSchema
      .optional()
      .describe(
        'Score of the episode, such as people’s, that labels each trajectory instead of its reward. Episodes without it are left out.',
      ),
    desirable_at: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        `Minimum reward, value or score of a desirable row. Default: a trajectory if it succeeded (another end of the tree if it is as good as a successful answer, or has a reward of 1), a step or a score from ${stepBar}.`,
      ),
    undesirable_at: z
      .number()
      .min(0)
      .max(1)
      .optional()
      .describe(
        'Reward or value below which a row is undesirable; between the two bounds there is no row. Default: all that is not desirable.',
      ),
  })
  .refine(
    ({ desirable_at: high, undesirable_at: low }) => high === undefined || low === undefined || low <= high,
    { path: ['undesirable_at'], error: 'must not be greater than desirable_at' },
  )
  .refine(
    ({ level, paths, score }) => score === undefined || (level === 'trajectory' && paths === 'answer'),
    {
      path: ['score'],
      error: 'is of whole episodes: leave out level and paths, or take their defaults',
    },
  )

export type UnpairedParameters = z.infer<typeof parameters>

type Row = RowOf<'unpaired'>

export const unpaired: DatasetKind<UnpairedParameters, Row> = {
  id: 'unpaired',
  description: 'Trajectories or single answers, each labelled desirable or undesirable.',
  source:
    'Ethayarajh et al. 2024, KTO (arXiv 2402.01306), which needs no pairs; where labels are drawn from rewards or values is a choice of this project',
  rowType: 'unpaired',
  parameters,
  rows: ({ attempts }, options, scope) =>
    findRows(attempts, scope, {
      keepOut: ({ reward, scores }) => {
        if (options.score !== undefined) return scores?.[options.score] === undefined ? 'no_score' : null
        return reward === null ? 'no_reward' : null
      },
      read: (tree, attempt) =>
        options.level === 'step'
          ? readSteps(tree, attempt, seenPictures(attempt, scope), options)
          : readTrajectories(tree, attempt, scope, options),
    }),
}

function* readTrajectories(
  tree: Tree,
  attempt: Attempt,
  scope: Pick<KindScope, 'pictures'>,
  options: UnpairedParameters,
): Generator<FoundRow<Row>, LeftOutReason> {
  const { paths, score } = options
  const { desirable_at = score === undefined ? successBar(attempt) : stepBar } = options
  const { undesirable_at = desirable_at } = options
  let reason: LeftOutReason = noEndsReason(paths)
  for (const { id, reward } of pathEnds(tree, attempt, paths)) {
    const value = (score === undefined ? undefined : attempt.scores?.[score]) ?? reward
    const path = renderWhole(tree, id, attempt, scope)
    if (typeof path === 'string') {
      reason = path
    } else if (value < desirable_at && value >= undesirable_at) {
      reason = 'undecided'
    } else {
      const { head: prompt, turns: completion, node_ids } = path
      const label = value >= desirable_at
      yield {
        row: { type: 'unpaired', prompt, completion, label },
        origin: { attempt, node_ids, reward },
      }
    }
  }
  return reason
}

function* readSteps(
  tree: Tree,
  attempt: Attempt,
  seen: SeenPictures,
  { paths, desirable_at = stepBar, undesirable_at = desirable_at }: UnpairedParameters,
): Generator<FoundRow<Row>, LeftOutReason> {
  const ends = pathEnds(tree, attempt, paths)
  const steps = new Set(ends.flatMap(({ id }) => pathTo(tree, id).slice(1)))
  let reason: LeftOutReason = steps.size === 0 ? noEndsReason(paths) : 'no_values'
  for (const id of [...steps].toSorted((left, right) => left - right)) {
    const { value, visits } = nodeAt(tree, id)
    if (visits === 0) continue
    const path = renderPath(tree, id, seen)
    if (typeof path === 'string') {
      reason = path
    } else if (!reachesValue(value, desirable_at) && reachesValue(value, undesirable_at)) {
      reason = 'undecided'
    } else {
      const { head, turns, node_ids } = path
      const prompt = withNewestPictures([...head, ...turns.slice(0, -1)], seen ?? 0)
      const label = reachesValue(value, desirable_at)
      const row: Row = { type: 'unpaired', prompt, completion: turns.slice(-1), label }
      yield { row, origin: { attempt, node_ids, reward: value } }
    }
  }
  return reason
}
