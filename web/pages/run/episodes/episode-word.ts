import { episodeStatusWord } from '../../../../shared/client/status-words.ts'
import type { Episode } from '../../../../shared/contracts/episode.ts'

/**
 * The state of an episode, in the words of the run's progress: one that waits for a worker is `waiting` before it begins and
 * `queued` afterwards, and while the run is paused what has begun is `held`.
 */
export function episodeWord(
  {
    purpose,
    result,
    starts,
    status,
  }: Pick<Episode, 'result' | 'starts' | 'status'> & { purpose?: Episode['purpose'] },
  isPaused: boolean,
): string {
  const isOpen = status === 'queued' || status === 'running'
  if (!isOpen) return episodeStatusWord(status, purpose)
  // One that ended before waits for another try, or for a larger budget.
  const hasBegun = status === 'running' || (starts > 0 && result === null)
  if (!hasBegun) return 'waiting'
  return isPaused ? 'held' : status
}
