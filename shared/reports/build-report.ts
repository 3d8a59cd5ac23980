import type { Episode } from '../contracts/episode.ts'
import type { Report } from '../contracts/report.ts'
import type { Run } from '../contracts/run.ts'
import { estimateRate, estimateReward } from './estimate.ts'
import {
  addEffort,
  countEpisode,
  endedResult,
  noEffort,
  rewardClusters,
  successClusters,
  type TaskTally,
} from './task-tally.ts'

const errorsListed = 1000

/**
 * What a run came to, in one pass over its episodes that keeps sums per task, so that memory grows with the tasks alone.
 *
 * Means of reward and success are over the episodes that have a reward; means of steps, nodes, tokens and money over
 * all that were played (`succeeded`, `failed`, `limited`). Episodes that ended with an error or were cancelled are in
 * no mean, and those that learned in no mean and no task; their errors and limits are told like the others'. The sums of
 * each task are over all its ended episodes: they say what the task took. `usage` is the run's own, everything paid for,
 * and `unparsable` is of every episode too.
 *
 * @param options.simulated the run's numbers come from a simulated endpoint
 */
export async function buildReport(
  run: Run,
  episodes: AsyncIterable<Episode>,
  options: { simulated: boolean },
): Promise<Report> {
  const tallies = new Map<string, TaskTally>()
  const errors: Report['errors'] = []
  const limits = new Map<string, number>()
  let learningEpisodes = 0
  let unparsable = 0
  for await (const episode of episodes) {
    countEpisode(tallies, episode)
    if (episode.purpose === 'learn') learningEpisodes += 1
    const result = endedResult(episode)
    unparsable += result?.unparsable ?? 0
    if (result?.status === 'errored' && errors.length < errorsListed) {
      errors.push({
        episode: episode.id,
        task: episode.task,
        name: result.error?.name ?? 'Error',
        message: result.error?.message ?? 'The episode ended with an error that left no message.',
      })
    }
    if (result?.status === 'limited') {
      const limit = result.limit ?? 'unknown'
      limits.set(limit, (limits.get(limit) ?? 0) + 1)
    }
  }

  const tasks = [...tallies.values()]
  const played = tasks.reduce((sum, { played }) => sum + played.episodes, 0)
  const effort = tasks.reduce((sum, { played }) => addEffort(sum, played), noEffort)
  const mean = (sum: number | null): number | null => (played === 0 || sum === null ? null : sum / played)
  return {
    object: 'report',
    run: run.id,
    simulated: options.simulated,
    episodes: run.episodes,
    success_rate: estimateRate(successClusters(tasks)),
    reward: estimateReward(rewardClusters(tasks)),
    progress_rate: estimateReward(tasks.map(({ progress }) => progress)),
    grounding_accuracy: estimateReward(tasks.map(({ grounding }) => grounding)),
    learning_episodes: learningEpisodes,
    mean_steps: mean(effort.steps),
    mean_path_length: mean(effort.path_length),
    mean_primitive_steps: mean(effort.primitive_steps),
    unparsable,
    mean_nodes: mean(effort.nodes),
    mean_tokens: mean(effort.usage.input_tokens + effort.usage.output_tokens),
    mean_cost: mean(effort.usage.cost),
    usage: run.usage,
    lost_calls: run.lost_calls,
    errors,
    limits: Object.fromEntries([...limits].toSorted(([left], [right]) => (left < right ? -1 : 1))),
    tasks: tasks.map(taskReport),
  }
}

function taskReport(tally: TaskTally): Report['tasks'][number] {
  const { task, episodes, scored, successes, reward, spent } = tally
  return {
    task,
    episodes,
    scored,
    successes,
    mean_reward: scored === 0 ? null : reward / scored,
    steps: spent.steps,
    tokens: spent.usage.input_tokens + spent.usage.output_tokens,
    cost: spent.usage.cost,
  }
}
