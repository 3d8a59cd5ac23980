import { type EpisodeError, episodeId } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { momentOf } from '../runs/run-clock.ts'
import { roundEnd } from '../runs/run-definition.ts'
import type { RunRow } from '../runs/run-row.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'

export function isReadLater(
  row: Pick<RunRow, 'learning' | 'live' | 'round_size' | 'total' | 'writes'>,
  index: number,
) {
  return !row.live && row.writes.length > 0 && roundEnd(index, row) < row.total
}

/**
 * Pauses a run if a transient failure prevents an episode whose output later rounds read. Without it they would read
 * less than in an undisturbed run, and their results could not be distinguished from that run's.
 * @returns the reason; null if the run was no longer running
 */
export async function holdRound(
  { world, store }: { world: World; store: RunStore },
  { run, index }: { run: string; index: number },
  { name, message }: EpisodeError,
): Promise<string | null> {
  const reason = `The episode ${episodeId(index)} failed again and again for a reason that may pass (${name}: ${message}), and the episodes after it read what it learns. Resume plays it again; where it fails once more, it ends with its error and the others go on without it.`
  let isHeld = false
  await store.change(run, (now) => {
    isHeld = now.status === 'running'
    return isHeld ? toStatus(now, 'paused', reason, momentOf(world.clock)) : null
  })
  return isHeld ? reason : null
}
