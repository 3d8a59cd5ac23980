import { z } from 'zod'
import type { RowOf } from '../../../core/contracts/dataset-row.ts'
import type { LeftOutReason } from '../../../core/contracts/left-out-reasons.ts'
import type { Tree } from '../../../core/contracts/tree.ts'
import { pairMethod } from '../../formats/read-trajectory.ts'
import type { Attempt, TaskGroup } from '../attempt.ts'
import type { DatasetKind, FoundRow, KindScope } from '../kind.ts'
import { checkLayouts } from './check-layouts.ts'
import { drawPairs } from './draw-pairs.ts'
import { readTrees } from './find-rows.ts'
import { type Contender, type Pair, pairUp } from './pair-up.ts'
import type { RenderedPath } from './render-path.ts'
import { renderWhole } from './render-whole.ts'

/** Maximum number of paths in memory: of tasks with more attempts, some are read again. */
const mostKept = 256

class AnswerPaths {
  readonly #kept = new Map<Attempt, RenderedPath>()
  readonly #scope: PathScope

  constructor(scope: PathScope) {
    this.#scope = scope
  }

  async unrenderable(attempts: readonly Attempt[]): Promise<Map<Attempt, LeftOutReason>> {
    const reasons = new Map<Attempt, LeftOutReason>()
    const render = (tree: Tree, attempt: Attempt) => renderWhole(tree, tree.best, attempt, this.#scope)
    const paths = readTrees(attempts, render, this.#scope.signal)
    for await (const { attempt, found } of paths) {
      if (typeof found === 'string') reasons.set(attempt, found)
      else this.#keep(attempt, found)
    }
    return reasons
  }

  async of(attempt: Attempt): Promise<RenderedPath> {
    const known = this.#kept.get(attempt)
    if (known !== undefined) return known
    this.#scope.signal?.throwIfAborted()
    const tree = await attempt.tree()
    const path = renderWhole(tree, tree.best, attempt, this.#scope)
    if (typeof path === 'string')
      throw new Error(`The path of ${attempt.episode} cannot be rendered: ${path}.`)
    this.#keep(attempt, path)
    return path
  }

  #keep(attempt: Attempt, path: RenderedPath): void {
    const oldest = this.#kept.size >= mostKept ? this.#kept.keys().next().value : undefined
    if (oldest !== undefined) this.#kept.delete(oldest)
    this.#kept.set(attempt, path)
  }
}

const eachOtherMost = 32

const parameters = z.strictObject({
  against: z
    .enum(['auto', 'expert', 'each-other', 'both'])
    .default('auto')
    .describe(
      'Partners for an attempt: the experts of its task, the other attempts at its task, or both. `auto`: the experts if one has played the task, else the other attempts.',
    ),
  margin: z
    .number()
    .min(0)
    .max(1)
    .default(0)
    .describe('The rewards of a pair must differ by more than this; 0, as in ETO: any difference.'),
  max_extra_messages: z
    .int()
    .min(0)
    .multipleOf(2)
    .nullable()
    .default(10)
    .describe(
      'Maximum number of messages by which a rejected explored side may exceed the chosen one; the rest is cut off. Two messages are one step; null: no cut. ETO uses 10, and null for household games.',
    ),
  layouts: z
    .enum(['same', 'any'])
    .default('same')
    .describe(
      '`same`: a pair whose sides are laid out differently, such as an expert of ETO against a run with a system text, fails the build, since a model would learn the layout from it and not the task. `any`: such pairs are allowed.',
    ),
  max_per_task: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe(
      `Maximum number of pairs of each sort per task, drawn by the dataset’s seed. Default: all pairs with an expert, ${eachOtherMost} of the attempts with each other.`,
    ),
})

export type PreferenceParameters = z.infer<typeof parameters>

interface Rival {
  readonly attempt: Attempt
  readonly reward: number
  readonly isExpert: boolean
}

interface Field {
  explored: readonly Rival[]
  experts: readonly Rival[]
  isEachOther: boolean
}

export const preference: DatasetKind<PreferenceParameters, RowOf<'preference'>> = {
  id: 'preference',
  description: 'Pairs of trajectories at one task: explored against an expert, or against each other.',
  source:
    'Song et al. 2024, ETO (arXiv 2403.02502): pairs as its `construct_preference.py` makes them, and those of its self-play; the margin and the caps are additions',
  rowType: 'preference',
  parameters,
  usesExperts: true,
  async *rows(whole, options, scope) {
    const [pairs, attempts] = [whole.attempts.filter(isPair), whole.attempts.filter((each) => !isPair(each))]
    for (const attempt of pairs)
      yield (await importedPair(attempt, scope)) ?? { attempt, left_out: 'no_pair' }
    if (pairs.length > 0 && attempts.length === 0) return
    const group = { ...whole, attempts }
    const { layouts, margin, max_extra_messages: maxExtraMessages, max_per_task: most } = options
    const reasons = firstReasons(group, options)
    const paths = new AnswerPaths(scope)
    const matched = withRivals(lineUp(group, options), margin)
    const lined = [...matched.explored, ...matched.experts].map(({ attempt }) => attempt)
    const unrenderable = await paths.unrenderable(lined)
    for (const [attempt, reason] of unrenderable) reasons.set(attempt, reason)
    const { explored, experts, isEachOther } = withRivals(without(unrenderable, matched), margin)
    for (const { attempt } of [...explored, ...experts]) reasons.set(attempt, 'not_chosen')

    const crossed = [
      { better: explored, worse: experts },
      { better: experts, worse: explored },
    ]
    const each = isEachOther ? [{ better: explored, worse: explored }] : []
    const drawn = [
      drawPairs(crossed, { margin, most }, scope.random('pairs/expert')),
      drawPairs(each, { margin, most: most ?? eachOtherMost }, scope.random('pairs/each-other')),
    ]
    const used = new Set<Attempt>()
    for (const pairs of drawn) {
      for (const [better, worse] of pairs) {
        const rules = { margin, maxExtraMessages }
        const sides = [await contend(better, paths), await contend(worse, paths)] as const
        if (layouts === 'same') checkLayouts(...sides)
        const pair = pairUp(...sides, rules)
        if (pair === null) continue
        used.add(better.attempt).add(worse.attempt)
        yield toFound(pair)
      }
    }
    for (const [attempt, reason] of reasons) if (!used.has(attempt)) yield { attempt, left_out: reason }
  },
}

/** The participating attempts, by falling reward, of equals by name: the input order changes nothing. */
function lineUp({ attempts, experts }: TaskGroup, { against }: PreferenceParameters): Field {
  return {
    explored: ranked(attempts, false),
    experts: against === 'each-other' ? [] : ranked(experts, true),
    isEachOther:
      against === 'each-other' || against === 'both' || (against === 'auto' && experts.length === 0),
  }
}

function ranked(attempts: readonly Attempt[], isExpert: boolean): Rival[] {
  return attempts
    .flatMap((attempt) => (attempt.reward === null ? [] : { attempt, reward: attempt.reward, isExpert }))
    .toSorted(
      (left, right) => right.reward - left.reward || (nameOf(left.attempt) < nameOf(right.attempt) ? -1 : 1),
    )
}

function nameOf({ source, episode }: Attempt): string {
  return `${source}/${episode}`
}

function withRivals({ explored, experts, isEachOther }: Field, margin: number): Field {
  const rivals = isEachOther ? [...experts, ...explored] : experts
  return {
    isEachOther,
    explored: explored.filter(hasRival(rivals, margin)),
    experts: experts.filter(hasRival(explored, margin)),
  }
}

function hasRival(rivals: readonly Rival[], margin: number): (rival: Rival) => boolean {
  const rewards = rivals.map(({ reward }) => reward)
  const lowest = rewards.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY)
  const highest = rewards.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY)
  return ({ reward }) => reward - lowest > margin || highest - reward > margin
}

function without(left: ReadonlyMap<Attempt, unknown>, { explored, experts, isEachOther }: Field): Field {
  const isKept = ({ attempt }: Rival) => !left.has(attempt)
  return { isEachOther, explored: explored.filter(isKept), experts: experts.filter(isKept) }
}

function firstReasons(
  { attempts, experts }: TaskGroup,
  { against }: PreferenceParameters,
): Map<Attempt, LeftOutReason> {
  const unpaired = against === 'expert' && experts.length === 0 ? 'no_expert' : 'no_pair'
  return new Map(
    [...attempts, ...experts].map((attempt) => [attempt, attempt.reward === null ? 'no_reward' : unpaired]),
  )
}

interface PlayedContender extends Contender {
  readonly attempt: Attempt
  readonly node_ids: readonly number[]
  readonly calls: boolean
}

async function contend(rival: Rival, paths: AnswerPaths): Promise<PlayedContender> {
  return { ...rival, ...(await paths.of(rival.attempt)) }
}

function toFound({ row, better, worse }: Pair<PlayedContender>): FoundRow<RowOf<'preference'>> {
  const answers = row.rejected.filter(({ role }) => role === 'assistant').length
  return {
    row,
    origin: { attempt: better.attempt, node_ids: better.node_ids },
    other: { attempt: worse.attempt, node_ids: worse.node_ids.slice(0, answers + 1) },
  }
}

function isPair({ method }: Attempt): boolean {
  return method === pairMethod
}

// The two paths of an imported pair, as they are. Null: a side does not end on the model, or cannot be rendered.
async function importedPair(
  attempt: Attempt,
  scope: PathScope,
): Promise<FoundRow<RowOf<'preference'>> | null> {
  const tree = await attempt.tree()
  const [better, worse] = [tree.best, tree.nodes.length - 1].map((leaf) =>
    renderWhole(tree, leaf, attempt, scope),
  )
  if (
    better === undefined ||
    worse === undefined ||
    typeof better === 'string' ||
    typeof worse === 'string'
  ) {
    return null
  }
  const sides = [
    { ...better, reward: 1 },
    { ...worse, reward: 0 },
  ] as const
  const [one, other] = sides.map((side) => ({ ...side, attempt, isExpert: true }))
  const pair = pairUp(one as PlayedContender, other as PlayedContender, { margin: 0, maxExtraMessages: null })
  return pair === null ? null : toFound(pair)
}

type PathScope = Pick<KindScope, 'pictures' | 'signal'>
