import type { Episode } from '../../core/contracts/episode.ts'
import type { LeftOutReason } from '../../core/contracts/left-out-reasons.ts'
import type { Run } from '../../core/contracts/run.ts'
import type { AttemptFacts } from './attempt.ts'

export type EpisodeFacts = Omit<AttemptFacts, 'task_split'>

/**
 * Reads an episode as an attempt at its task, if it ended by itself. Learning episodes, unfinished ones and those
 * without a verdict do not show how to do a task.
 *
 * @returns the properties, or why it is no attempt
 */
export function episodeFacts({ id, request }: Run, episode: Episode): EpisodeFacts | LeftOutReason {
  const { result } = episode
  if (episode.purpose !== 'play') return 'learned'
  if (episode.status === 'cancelled') return 'cancelled'
  // An extended episode keeps its earlier end until it reaches another.
  if (result === null) return 'not_finished'
  if (result.status === 'errored' || result.status === 'cancelled') return result.status
  const { environment, data = null, method, model, seed } = request
  return {
    source: id,
    episode: episode.id,
    attempt: result.attempt,
    environment,
    data,
    task: episode.task,
    method: method.id,
    model: `${model.endpoint}/${model.id}`,
    status: result.status,
    reward: result.reward,
    success: result.success === true,
    seed,
    ...(model.max_pictures !== undefined && { max_pictures: model.max_pictures }),
  }
}
