import { z } from 'zod'
import type { RowOf } from '../../../core/contracts/dataset-row.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { withNewestPictures } from '../../../play/search/newest-pictures.ts'
import { actionKey } from '../../../play/search/proposals.ts'
import type { Attempt } from '../attempt.ts'
import type { DatasetKind, FoundRow } from '../kind.ts'
import { type SeenPictures, seenPictures } from '../seen-pictures.ts'
import { isSameValue } from './compare-values.ts'
import { allPairs } from './draw-pairs.ts'
import { findRows } from './find-rows.ts'
import { answerThoughts, renderPath, type UnrenderableReason } from './render-path.ts'

const parameters = z.strictObject({
  margin: z
    .number()
    .min(0)
    .default(0.2)
    .describe(
      'The values of two siblings must differ by more than this. 0.2 is Agent-R’s β, which it applies to whole paths.',
    ),
  min_visits: z
    .int()
    .min(1)
    .default(1)
    .describe('Minimum number of visits of a sibling; values from few visits are unreliable.'),
  pairs: z
    .enum(['best-worst', 'all'])
    .default('best-worst')
    .describe(
      'Pairs at each node: its best child against its worst, or every two children that differ enough.',
    ),
})

export type StepPreferenceParameters = z.infer<typeof parameters>

interface Sibling {
  id: number
  message: string
  reasoning?: string
  action: string
  reward: number
}

type SiblingPair = readonly [better: Sibling, worse: Sibling]

export const stepPreference: DatasetKind<StepPreferenceParameters, RowOf<'preference'>> = {
  id: 'step-preference',
  description: 'Pairs of answers at one node of a search, the one of the higher value chosen.',
  source:
    'Xie et al. 2024 (arXiv 2405.00451): the best and the worst sibling of a tree search; Putta et al. 2024, Agent Q (arXiv 2408.07199): every two whose values differ enough',
  rowType: 'preference',
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
  options: StepPreferenceParameters,
): Generator<FoundRow<RowOf<'preference'>>, UnrenderableReason | 'no_branch'> {
  let reason: UnrenderableReason | 'no_branch' = 'no_branch'
  for (const siblings of branches(tree, options.min_visits)) {
    for (const [better, worse] of pairsOf(siblings, options)) {
      const path = renderPath(tree, better.id, seen)
      if (typeof path === 'string') {
        reason = path
        continue
      }
      const { head, turns, node_ids } = path
      yield {
        row: {
          type: 'preference',
          prompt: withNewestPictures([...head, ...turns.slice(0, -1)], seen ?? 0),
          chosen: [{ role: 'assistant', content: better.message, ...answerThoughts(better) }],
          rejected: [{ role: 'assistant', content: worse.message, ...answerThoughts(worse) }],
        },
        origin: { attempt, node_ids, reward: better.reward },
        other: { attempt, node_ids: [...node_ids.slice(0, -1), worse.id], reward: worse.reward },
        same_action: better.action === worse.action,
      }
    }
  }
  return reason
}

function branches({ nodes }: Tree, minVisits: number): Sibling[][] {
  const families = new Map<number, Sibling[]>()
  for (const [id, { action, parent, message, reasoning, value, visits }] of nodes.entries()) {
    if (parent === null || message === null || visits < minVisits) continue
    const own = { id, message, action: actionKey(action ?? ''), reward: value }
    const sibling = reasoning === undefined ? own : { ...own, reasoning }
    const family = families.get(parent)
    if (family) family.push(sibling)
    else families.set(parent, [sibling])
  }
  return [...families.entries()]
    .filter(([, family]) => family.length > 1)
    .toSorted(([left], [right]) => left - right)
    .map(([, family]) => family.toSorted((left, right) => right.reward - left.reward))
}

/** @param siblings - by falling value */
function* pairsOf(
  siblings: readonly Sibling[],
  { pairs, margin }: StepPreferenceParameters,
): Generator<SiblingPair> {
  if (pairs === 'best-worst') {
    const pair = widest(siblings, takesTwoActions) ?? widest(siblings, saysTwoThings)
    if (pair !== null && difference(pair) > margin && !haveOneValue(pair)) yield pair
    return
  }
  const field = { better: siblings, worse: siblings }
  for (const pair of allPairs([field], margin)) {
    if (saysTwoThings(pair) && !haveOneValue(pair)) yield pair
  }
}

function widest(siblings: readonly Sibling[], differ: (pair: SiblingPair) => boolean): SiblingPair | null {
  const [best] = siblings
  const least = siblings.at(-1)
  // The first of the worst: they are sorted by falling value, equals in the order of the nodes.
  const worst = siblings.find(({ reward }) => least !== undefined && isSameValue(reward, least.reward))
  if (best === undefined || worst === undefined) return null
  if (differ([best, worst])) return [best, worst]
  const worse = siblings.findLast((sibling) => differ([best, sibling]))
  const better = siblings.find((sibling) => differ([sibling, worst]))
  if (worse === undefined || better === undefined) return null
  return difference([better, worst]) > difference([best, worse]) ? [better, worst] : [best, worse]
}

/** If several siblings take one action, a pair of two actions teaches more than the widest one. */
function takesTwoActions([better, worse]: SiblingPair): boolean {
  return better.action !== worse.action
}

function saysTwoThings([better, worse]: SiblingPair): boolean {
  return better.message !== worse.message
}

function haveOneValue([better, worse]: SiblingPair): boolean {
  return isSameValue(better.reward, worse.reward)
}

function difference([better, worse]: SiblingPair): number {
  return better.reward - worse.reward
}
