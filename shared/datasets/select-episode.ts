import type { DatasetRequest } from '../contracts/dataset.ts'
import type { Episode, EpisodeResult } from '../contracts/episode.ts'
import type { NoSftRow } from './kinds/sft.ts'

/** Every reason for which an episode gives no row, in the words a reader of the dataset finds. */
export const leftOutReasons = {
  failed: 'the task was not solved',
  limited: 'a limit ended the episode before the task was solved',
  errored: 'the service failed; that says nothing about the method',
  cancelled: 'the run was cancelled',
  not_finished: 'the episode had not ended when the dataset was built',
  below_min_reward: 'the reward was below the asked minimum',
  learned: 'the episode learned for others, and played no task of its own',
  no_model_message: 'the path holds no model answer, or an action that no model wrote',
  not_text: 'the path shows pictures, which this format cannot hold',
} as const satisfies Record<string, string> & Record<NoSftRow, string>

export type LeftOutReason = keyof typeof leftOutReasons

/** A result that has a reward. */
export type ScoredResult = EpisodeResult & { reward: number }

/**
 * Whether the episode's own result keeps it out: without `min_reward` it must have succeeded, with it reach that reward.
 *
 * @returns the reason, or the result of an episode that is in
 */
export function selectEpisode(
  episode: Episode,
  request: Pick<DatasetRequest, 'min_reward'>,
): LeftOutReason | ScoredResult {
  const { result, status } = episode
  if (episode.purpose === 'learn') return 'learned'
  if (result === null || result.status !== status) return 'not_finished'
  if (result.status === 'errored' || result.status === 'cancelled') return result.status
  const { reward } = result
  if (reward === null) return result.status === 'limited' ? 'limited' : 'failed'
  if (request.min_reward !== undefined) {
    return reward >= request.min_reward ? { ...result, reward } : 'below_min_reward'
  }
  if (result.success === true) return { ...result, reward }
  return result.status === 'limited' ? 'limited' : 'failed'
}
