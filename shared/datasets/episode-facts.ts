import type { Episode } from '../contracts/episode.ts'
import type { LeftOutReason } from '../contracts/left-out-reasons.ts'
import type { Run } from '../contracts/run.ts'
import type { AttemptFacts } from './attempt.ts'

/** What an episode says of itself; its task's split is its environment's to say. */
export type EpisodeFacts = Omit<AttemptFacts, 'task_split'>

/**
 * An episode as an attempt at its task, if it came to its end by itself: what learned, what has not ended, and what ended
 * without a verdict says nothing of how a task is done.
 *
 * @returns the facts, or why it is none
 */
export function episodeFacts({ id, request }: Run, episode: Episode): EpisodeFacts | LeftOutReason {
  const { result } = episode
  if (episode.purpose !== 'play') return 'learned'
  if (episode.status === 'cancelled') return 'cancelled'
  // What is played on has its earlier end until it comes to another.
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
