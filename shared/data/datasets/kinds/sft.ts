import { z } from 'zod'
import type { ConversationRow, WeightedMessage } from '../../../core/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { usualPictures } from '../../../play/search/newest-pictures.ts'
import type { Attempt, AttemptFacts } from '../attempt.ts'
import type { DatasetKind, Finding, FoundRow } from '../kind.ts'
import { type SeenPictures, seenPictures } from '../seen-pictures.ts'
import { answerRows } from './answer-rows.ts'
import { asContext } from './as-context.ts'
import { findRows } from './find-rows.ts'
import { notGoodEnough } from './not-good-enough.ts'
import { pathEnds, pathsSchema, successBar } from './path-ends.ts'
import { type RenderedPath, renderPath, type UnrenderableReason } from './render-path.ts'

const parameters = z.strictObject({
  min_reward: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Minimum reward to imitate. Default: attempts that succeeded by the environment’s own threshold.',
    ),
  attempts: z
    .enum(['all', 'best'])
    .default('all')
    .describe(
      '`best`: only the attempt with the highest reward at a task; among equals, the one with the fewest actions, then the first.',
    ),
  paths: pathsSchema
    .default('answer')
    .describe(
      '`ends`: not only the path to the answer, but every path that ended well enough: with at least `min_reward`, or by default as well as a successful answer or with a reward of 1.',
    ),
})

export type SftParameters = z.infer<typeof parameters>

export const sft: DatasetKind<SftParameters, ConversationRow> = {
  id: 'sft',
  description: 'Trajectories that succeeded, or reached a reward, to be imitated.',
  source:
    'Rejection-sampling fine-tuning: Yuan et al. 2023 (arXiv 2308.01825); for agents the first stage of Song et al. 2024, ETO (arXiv 2403.02502)',
  rowType: 'conversation',
  parameters,
  async *rows({ attempts }, options, scope) {
    const finder = {
      keepOut: (facts: AttemptFacts) => keepOut(facts, options),
      read: (tree: Tree, attempt: Attempt) => readRows(tree, attempt, seenPictures(attempt, scope), options),
    }
    const all = findRows(attempts, scope, finder)
    const found = options.attempts === 'all' ? all : onlyBest(all)
    yield* scope.pictures === 'show' ? answerByAnswer(found) : found
  },
}

function keepOut(facts: AttemptFacts, { min_reward, paths }: SftParameters): LeftOutReason | null {
  return paths === 'ends' && facts.reward !== null ? null : notGoodEnough(facts, min_reward)
}

function* readRows(
  tree: Tree,
  attempt: Attempt,
  seen: SeenPictures,
  { min_reward, paths }: SftParameters,
): Generator<FoundRow<ConversationRow>, LeftOutReason> {
  if (paths === 'answer') {
    const path = renderPath(tree, tree.best, seen)
    if (typeof path === 'string') return path
    yield toRow(path, attempt)
  }
  const bar = min_reward ?? successBar(attempt)
  let reason: UnrenderableReason | 'no_good_end' = 'no_good_end'
  for (const { id, reward } of paths === 'ends' ? pathEnds(tree, attempt, paths) : []) {
    if (reward < bar) continue
    const path = renderPath(tree, id, seen)
    if (typeof path === 'string') reason = path
    else yield toRow(path, attempt, reward)
  }
  return reason
}

function toRow(path: RenderedPath, attempt: Attempt, reward?: number): FoundRow<ConversationRow> {
  const origin = { attempt, node_ids: path.node_ids, ...(reward !== undefined && { reward }) }
  return { row: { type: 'conversation', messages: weigh(path) }, origin }
}

function weigh({ head, turns }: RenderedPath): WeightedMessage[] {
  return [
    ...asContext(head),
    ...turns.map((message) => (message.role === 'assistant' ? { ...message, weight: 1 as const } : message)),
  ]
}

async function* answerByAnswer(
  all: AsyncIterable<Finding<ConversationRow>>,
): AsyncGenerator<Finding<ConversationRow>> {
  for await (const finding of all) {
    if ('left_out' in finding) yield finding
    else yield* answerRows(finding, finding.origin.attempt.max_pictures ?? usualPictures, 2)
  }
}

async function* onlyBest(
  all: AsyncIterable<Finding<ConversationRow>>,
): AsyncGenerator<Finding<ConversationRow>> {
  let best: FoundRow<ConversationRow>[] = []
  let rows: FoundRow<ConversationRow>[] = []
  for await (const finding of all) {
    if ('left_out' in finding) {
      yield finding
      continue
    }
    if (finding.origin.attempt !== rows[0]?.origin.attempt) {
      yield* settle()
      rows = []
    }
    rows.push(finding)
  }
  yield* settle()
  yield* best

  function* settle(): Generator<Finding<ConversationRow>> {
    const isNewBest = best.length === 0 || isBetter(rows, best)
    const [loser] = isNewBest ? best : rows
    if (isNewBest) best = rows
    if (loser !== undefined) yield { attempt: loser.origin.attempt, left_out: 'not_best' }
  }
}

function isBetter(rows: readonly FoundRow[], others: readonly FoundRow[]): boolean {
  const [one, other] = [topOf(rows), topOf(others)]
  return one.reward === other.reward ? one.actions < other.actions : one.reward > other.reward
}

function topOf(rows: readonly FoundRow[]): { reward: number; actions: number } {
  let top = { reward: Number.NEGATIVE_INFINITY, actions: Number.POSITIVE_INFINITY }
  for (const { origin } of rows) {
    const reward = origin.reward ?? origin.attempt.reward ?? Number.NEGATIVE_INFINITY
    const actions = origin.node_ids.length - 1
    if (reward > top.reward || (reward === top.reward && actions < top.actions)) top = { reward, actions }
  }
  return top
}
