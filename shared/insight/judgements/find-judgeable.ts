import type { Episode, EpisodeResult } from '../../core/contracts/episode.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { Runs } from '../../core/engine/runs/runs.ts'

export type JudgeableEpisode = Episode & { result: EpisodeResult }

/** True if an episode can be judged: it played a task to an end. An earlier end counts while it is continued. */
export function isJudgeable(episode: Episode): episode is JudgeableEpisode {
  const { purpose, result } = episode
  return purpose === 'play' && result !== null && result.status !== 'errored' && result.status !== 'cancelled'
}

/** @throws EspalierError `not_found`; `invalid_state` if there is nothing to judge */
export async function findJudgeable(
  runs: Pick<Runs, 'episode'>,
  run: string,
  id: string,
): Promise<JudgeableEpisode> {
  const episode = await runs.episode(run, id)
  if (isJudgeable(episode)) return episode
  const { purpose, result, status } = episode
  const why =
    purpose !== 'play'
      ? 'plays no task of its own'
      : result === null
        ? `is ${status} and has not ended. Try again when it has`
        : `ended as ${result.status}, which says nothing of how the task was done`
  throw new EspalierError('invalid_state', `The episode ${id} cannot be judged: it ${why}.`, {
    param: 'episode',
  })
}
