import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { formatDifference } from '../../shared/core/client/format-quantity.ts'
import type { Estimate } from '../../shared/core/contracts/report.ts'
import { estimateDifference } from '../../shared/insight/reports/estimate.ts'
import type { DemoSizes } from './sizes.ts'

export type Solved = ReadonlyMap<string, boolean>

export interface SeedOutcome {
  seed: number
  clone: Solved
  round: Solved
  control: Solved
  trials: Solved
}

/**
 * Reads the evaluations of a seed's two loops.
 * @throws Error when one has no evaluation
 */
export async function seedOutcome(
  client: ApiClient,
  { seed, rft, eto }: { seed: number; rft: string; eto: string },
): Promise<SeedOutcome> {
  const [first, second] = await Promise.all([client.loop(rft), client.loop(eto)])
  const solved = (run: string | null | undefined) => {
    if (run == null) throw new Error('A loop ended without an evaluation.')
    return solvedIn(client, run)
  }
  const [clone, round, control, trials] = await Promise.all([
    solved(first.rounds[0]?.evaluation),
    solved(first.rounds[1]?.evaluation),
    solved(first.control?.evaluation),
    solved(second.rounds[1]?.evaluation),
  ])
  return { seed, clone, round, control, trials }
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

export function formatOutcome(outcomes: readonly SeedOutcome[], { testTasks }: DemoSizes): string[] {
  const gain = (of: readonly SeedOutcome[]) => pairedDifference(of.map(({ clone, round }) => [round, clone]))
  const overControl = (of: readonly SeedOutcome[]) =>
    pairedDifference(of.map(({ control, round }) => [round, control]))
  const lines = outcomes.flatMap((outcome) => [
    '',
    `seed ${outcome.seed}, on ${testTasks} tasks that no model was trained on`,
    `  clone of the expert            ${solvedRate(outcome.clone)}`,
    `  after exploration (rft)        ${solvedRate(outcome.round)}`,
    `  control: as many steps, no exploration   ${solvedRate(outcome.control)}`,
    `  after pairs (eto)              ${solvedRate(outcome.trials)}`,
    `  after minus before             ${formatDifference(gain([outcome]))}`,
    `  after minus control            ${formatDifference(overControl([outcome]))}`,
  ])
  const all =
    outcomes.length < 2
      ? []
      : [
          '',
          `all ${outcomes.length} seeds, each task counted once`,
          `  after minus before             ${formatDifference(gain(outcomes))}`,
          `  after minus control            ${formatDifference(overControl(outcomes))}`,
        ]
  return [
    ...lines,
    ...all,
    '',
    `Intervals are 95 %, paired by task. ${verdict(gain(outcomes), overControl(outcomes))}`,
    'This shows the path, not a height: a model of 0.2 million parameters, made from nothing, in a world of balls and rooms.',
  ]
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
