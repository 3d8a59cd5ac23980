import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatDifference } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'
import { estimateDifference } from '../../shared/insight/reports/estimate.ts'
import type { PairLoss } from './requests.ts'

export type Solved = ReadonlyMap<string, boolean>

export interface SeedOutcome {
  seed: number
  clone: Solved
  round: Solved
  control: Solved
  trials: Record<PairLoss, Solved>
}

/**
 * Reads the evaluations of a seed's loops.
 * @throws Error when one has no evaluation
 */
export async function seedOutcome(
  client: ApiClient,
  { seed, rft, trials }: { seed: number; rft: string; trials: Record<PairLoss, string> },
): Promise<SeedOutcome> {
  const first = await client.loop(rft)
  const solved = (run: string | null | undefined) => {
    if (run == null) throw new Error('A loop ended without an evaluation.')
    return solvedIn(client, run)
  }
  const ofTrial = async (id: string) => solved((await client.loop(id)).rounds[1]?.evaluation)
  const [clone, round, control, answers, completion] = await Promise.all([
    solved(first.rounds[0]?.evaluation),
    solved(first.rounds[1]?.evaluation),
    solved(first.control?.evaluation),
    ofTrial(trials.answers),
    ofTrial(trials.completion),
  ])
  return { seed, clone, round, control, trials: { answers, completion } }
}

export async function solvedIn(client: ApiClient, run: string): Promise<Solved> {
  const { data } = await client.episodes(run, { limit: 1000 })
  const ended = data.filter(({ result }) => result !== null && result.success !== null)
  return new Map(ended.map(({ task, result }) => [task, result?.success === true]))
}

export function pairedDifference(pairs: readonly (readonly [Solved, Solved])[]): Estimate {
  const [first] = pairs
  const tasks = [...(first?.[0].keys() ?? [])].filter((task) =>
    pairs.every(([one, other]) => one.has(task) && other.has(task)),
  )
  return estimateDifference(
    tasks.map((task) => {
      const sums = pairs.map(([one, other]) => Number(one.get(task)) - Number(other.get(task)))
      return sums.reduce((sum, each) => sum + each, 0) / pairs.length
    }),
  )
}

export function solvedRate(solved: Solved): string {
  const count = [...solved.values()].filter(Boolean).length
  return `${(count / solved.size).toFixed(3)} (${count} of ${solved.size})`
}

const header = [
  '| seed | clone | after exploration (rft) | control | pairs (eto), answers | pairs (eto), all words | rft − clone | rft − control | eto − clone | eto: answers − all words |',
  '|---|---|---|---|---|---|---|---|---|---|',
]

/** The control trains as many steps on the expert's rows alone. */
export function formatOutcomes(outcomes: readonly SeedOutcome[]): string[] {
  const gain = difference(outcomes, ofRound, ofClone)
  const overControl = difference(outcomes, ofRound, ofControl)
  return [
    ...header,
    ...outcomes.map((outcome) => rowOf(String(outcome.seed), [outcome])),
    ...(outcomes.length < 2 ? [] : [rowOf(`all ${outcomes.length}`, outcomes)]),
    '',
    'Shares of held-out tasks solved. Differences have 95 % intervals, paired by task; over several seeds each task counts once.',
    verdict(gain, overControl),
    'This shows the path, not a height: a model of less than a million parameters, made from nothing, in a small world.',
  ]
}

type SolvedOf = (outcome: SeedOutcome) => Solved

const ofClone: SolvedOf = ({ clone }) => clone
const ofRound: SolvedOf = ({ round }) => round
const ofControl: SolvedOf = ({ control }) => control
const ofAnswers: SolvedOf = ({ trials }) => trials.answers
const ofCompletion: SolvedOf = ({ trials }) => trials.completion

function difference(outcomes: readonly SeedOutcome[], one: SolvedOf, other: SolvedOf): Estimate {
  return pairedDifference(outcomes.map((outcome) => [one(outcome), other(outcome)]))
}

function rowOf(seed: string, outcomes: readonly SeedOutcome[]): string {
  const rates = [ofClone, ofRound, ofControl, ofAnswers, ofCompletion].map((of) =>
    outcomes.length === 1 ? outcomes.map((outcome) => solvedRate(of(outcome))).join() : '',
  )
  const pairs = [
    [ofRound, ofClone],
    [ofRound, ofControl],
    [ofAnswers, ofClone],
    [ofAnswers, ofCompletion],
  ] as const
  const differences = pairs.map(([one, other]) => formatDifference(difference(outcomes, one, other)))
  return `| ${[seed, ...rates, ...differences].join(' | ')} |`
}

function verdict(gain: Estimate, overControl: Estimate): string {
  const isAbove = ({ ci }: Estimate) => ci !== null && ci.lower > 0
  if (isAbove(gain) && isAbove(overControl)) {
    return 'The model got better, and longer training on the same rows does not explain it: what it found out by itself did it.'
  }
  if (isAbove(gain)) {
    return 'The model got better; whether exploration did that, or only longer training, these tasks do not show.'
  }
  return 'These tasks do not show that the model got better.'
}
