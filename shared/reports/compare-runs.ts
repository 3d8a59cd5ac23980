import type { Episode } from '../contracts/episode.ts'
import { EspalierError } from '../contracts/errors.ts'
import type { Comparison } from '../contracts/report.ts'
import type { Run } from '../contracts/run.ts'
import { addUsage, noUsage, type Usage } from '../contracts/usage.ts'
import { estimateDifference, estimateRate, estimateReward, within } from './estimate.ts'
import {
  addEffort,
  countEpisode,
  endedResult,
  noEffort,
  rewardClusters,
  successClusters,
  type TaskTally,
} from './task-tally.ts'

export interface ComparedRun {
  run: Run
  episodes: AsyncIterable<Episode>
}

type Difference = NonNullable<Comparison['runs'][number]['difference']>

/**
 * Runs side by side on the tasks they share, those on which every run has an episode with a reward; nothing else
 * enters any figure, `usage` included, so that a run is never dearer for having played more; what it took to learn before
 * stands beside them. The first is the baseline:
 * the others are compared with it by paired differences of their task means. A task is won by the higher share of
 * successes, and where that is equal by the higher mean reward.
 *
 * @throws EspalierError `invalid_request` when the runs play different environments
 */
export async function compareRuns(
  compared: ComparedRun[],
  options: { simulated: boolean },
): Promise<Comparison> {
  checkEnvironments(compared)
  const played: { run: Run; learning: Usage; tallies: Map<string, TaskTally> }[] = []
  for (const { run, episodes } of compared) {
    const tallies = new Map<string, TaskTally>()
    let learning = noUsage
    for await (const episode of episodes) {
      countEpisode(tallies, episode)
      if (episode.purpose === 'learn') learning = addUsage(learning, endedResult(episode)?.usage ?? noUsage)
    }
    played.push({ run, learning, tallies })
  }
  const [first] = played
  const shared = [...(first?.tallies.keys() ?? [])].filter((task) =>
    played.every(({ tallies }) => (tallies.get(task)?.scored ?? 0) > 0),
  )
  const sides = played.map(({ run, learning, tallies }) => ({
    run,
    learning,
    tallies: shared.flatMap((task) => tallies.get(task) ?? []),
  }))
  const [baseline] = sides
  return {
    object: 'comparison',
    simulated: options.simulated,
    shared_tasks: shared.length,
    runs: sides.map((side) => ({
      ...describeSide(side.run, side.tallies),
      learning: side.learning,
      difference: baseline === undefined || side === baseline ? null : differ(side.tallies, baseline.tallies),
    })),
  }
}

function describeSide(
  run: Run,
  tallies: TaskTally[],
): Omit<Comparison['runs'][number], 'difference' | 'learning'> {
  const episodes = tallies.reduce((sum, { played }) => sum + played.episodes, 0)
  const played = tallies.reduce((sum, { played }) => addEffort(sum, played), noEffort)
  const spent = tallies.reduce((sum, { spent }) => addEffort(sum, spent), noEffort)
  return {
    run: run.id,
    name: run.request.name ?? null,
    method: run.request.method.id,
    model: `${run.request.model.endpoint}/${run.request.model.id}`,
    success_rate: estimateRate(successClusters(tallies)),
    reward: estimateReward(rewardClusters(tallies)),
    usage: spent.usage,
    mean_steps: episodes === 0 ? null : played.steps / episodes,
    mean_path_length: episodes === 0 ? null : played.path_length / episodes,
  }
}

/** Both lists hold the same tasks in the same order, each with an episode that has a reward. */
function differ(tallies: TaskTally[], baseline: TaskTally[]): Difference {
  const successes: number[] = []
  const rewards: number[] = []
  const outcomes = { won: 0, lost: 0, tied: 0 }
  for (const [index, tally] of tallies.entries()) {
    const other = baseline[index]
    if (other === undefined) continue
    const success = tally.successes / tally.scored - other.successes / other.scored
    const reward = tally.reward / tally.scored - other.reward / other.scored
    successes.push(success)
    rewards.push(reward)
    const sign = Math.sign(success) || Math.sign(reward)
    outcomes[sign > 0 ? 'won' : sign < 0 ? 'lost' : 'tied'] += 1
  }
  return {
    success_rate: within(estimateDifference(successes), -1, 1),
    reward: estimateDifference(rewards),
    ...outcomes,
  }
}

function checkEnvironments(compared: ComparedRun[]): void {
  const environments = [...new Set(compared.map(({ run }) => run.request.environment))]
  if (environments.length < 2) {
    checkData(compared)
    return
  }
  throw new EspalierError(
    'invalid_request',
    `The runs play different environments (${environments.join(', ')}), so they share no tasks. Compare runs of one.`,
    { param: 'runs' },
  )
}

/** Tasks of two data packs may share their names, and are not the same. */
function checkData(compared: ComparedRun[]): void {
  const packs = [...new Set(compared.map(({ run }) => run.request.data ?? 'builtin'))]
  if (packs.length < 2) return
  throw new EspalierError(
    'invalid_request',
    `The runs play tasks of different data (${packs.join(', ')}), which may share names but not problems. Compare runs over one data pack.`,
    { param: 'runs' },
  )
}
