import type { Episode, EpisodeResult } from '../../core/contracts/episode.ts'
import { addUsage, noUsage } from '../../core/contracts/usage.ts'
import type { Cluster } from './estimate.ts'

/** Running sums over the episodes of one task: a report keeps nothing else of them, however many there are. */
export interface TaskTally {
  task: string
  episodes: number
  scored: number
  successes: number
  reward: number
  rewards: Map<number, number>
  /** Of the scored episodes, those that have a progress rate, and the sum of the rates. */
  progress: Cluster
  grounding: Cluster
  /** Of the played episodes, those with counted invalid actions: actions taken, and invalid ones. */
  validity: Cluster
  /** Episodes that ended as `succeeded`, `failed` or `limited`, and their effort. */
  played: EffortTotals & { episodes: number }
  spent: EffortTotals
}

export type EffortTotals = Pick<
  EpisodeResult,
  'steps' | 'path_length' | 'primitive_steps' | 'nodes' | 'usage' | 'working_seconds'
>

export const noEffort: EffortTotals = {
  steps: 0,
  path_length: 0,
  primitive_steps: 0,
  nodes: 0,
  usage: noUsage,
  working_seconds: 0,
}

/** True if the end is a verdict about the method: neither the service's failure nor the user's stop. */
export function isPlayed(result: EpisodeResult): boolean {
  return result.status === 'succeeded' || result.status === 'failed' || result.status === 'limited'
}

/**
 * Adds an episode to its task. An error or a cancellation adds to `spent` and to no average. An episode that learned
 * or annotated plays no task, and is left out. A continued one counts as it ended before.
 */
export function countEpisode(tallies: Map<string, TaskTally>, episode: Episode): void {
  if (episode.purpose !== 'play') return
  let tally = tallies.get(episode.task)
  if (tally === undefined) {
    tally = emptyTally(episode.task)
    tallies.set(episode.task, tally)
  }
  tally.episodes += 1
  const { result } = episode
  if (result === null) return
  tally.spent = addEffort(tally.spent, result)
  if (!isPlayed(result)) return
  tally.played = { ...addEffort(tally.played, result), episodes: tally.played.episodes + 1 }
  tally.validity = addValidity(tally.validity, result)
  if (result.reward === null) return
  tally.scored += 1
  tally.reward += result.reward
  tally.rewards.set(result.reward, (tally.rewards.get(result.reward) ?? 0) + 1)
  if (result.success === true) tally.successes += 1
  tally.progress = addTo(tally.progress, result.progress_rate)
  tally.grounding = addTo(tally.grounding, result.grounding_accuracy)
}

export function addTally(left: TaskTally, right: TaskTally): TaskTally {
  const rewards = new Map(left.rewards)
  for (const [reward, count] of right.rewards) rewards.set(reward, (rewards.get(reward) ?? 0) + count)
  return {
    task: left.task,
    episodes: left.episodes + right.episodes,
    scored: left.scored + right.scored,
    successes: left.successes + right.successes,
    reward: left.reward + right.reward,
    rewards,
    progress: addClusters(left.progress, right.progress),
    grounding: addClusters(left.grounding, right.grounding),
    validity: addClusters(left.validity, right.validity),
    played: {
      ...addEffort(left.played, right.played),
      episodes: left.played.episodes + right.played.episodes,
    },
    spent: addEffort(left.spent, right.spent),
  }
}

export function addEffort(left: EffortTotals, right: EffortTotals): EffortTotals {
  return {
    steps: left.steps + right.steps,
    path_length: left.path_length + right.path_length,
    primitive_steps: left.primitive_steps + right.primitive_steps,
    nodes: left.nodes + right.nodes,
    usage: addUsage(left.usage, right.usage),
    working_seconds: left.working_seconds + right.working_seconds,
  }
}

export function rewardClusters(tallies: Iterable<TaskTally>): Cluster[] {
  return Array.from(tallies, ({ scored, reward }) => ({ count: scored, sum: reward }))
}

export function successClusters(tallies: Iterable<TaskTally>): Cluster[] {
  return Array.from(tallies, ({ scored, successes }) => ({ count: scored, sum: successes }))
}

function addClusters(left: Cluster, right: Cluster): Cluster {
  return { count: left.count + right.count, sum: left.sum + right.sum }
}

function addTo({ count, sum }: Cluster, value: number | null | undefined): Cluster {
  return typeof value === 'number' ? { count: count + 1, sum: sum + value } : { count, sum }
}

function addValidity({ count, sum }: Cluster, { nodes, invalid_actions }: EpisodeResult): Cluster {
  if (invalid_actions === null || nodes < 2) return { count, sum }
  return { count: count + nodes - 1, sum: sum + invalid_actions }
}

function emptyTally(task: string): TaskTally {
  return {
    task,
    episodes: 0,
    scored: 0,
    successes: 0,
    reward: 0,
    rewards: new Map(),
    progress: { count: 0, sum: 0 },
    grounding: { count: 0, sum: 0 },
    validity: { count: 0, sum: 0 },
    played: { ...noEffort, episodes: 0 },
    spent: noEffort,
  }
}
