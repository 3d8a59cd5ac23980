import { type EpisodeWord, episodeEndWord } from '../../../../shared/core/client/status-words.ts'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'

export function episodeWord(
  {
    purpose,
    result,
    starts,
    status,
  }: Pick<Episode, 'result' | 'starts' | 'status'> & { purpose?: Episode['purpose'] },
  isPaused: boolean,
): EpisodeWord | 'waiting' | 'held' {
  const isOpen = status === 'queued' || status === 'running'
  if (!isOpen) return episodeEndWord({ status, limit: result?.limit ?? null }, purpose)
  // An episode that ended earlier waits for another try or a larger budget.
  const hasBegun = status === 'running' || (starts > 0 && result === null)
  if (!hasBegun) return 'waiting'
  return isPaused ? 'held' : status
}
