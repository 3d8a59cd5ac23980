import type { World } from '../../world/ports.ts'
import { foldEnds } from '../ends/fold-ends.ts'
import { cancelEpisodes } from '../episodes/cancel-episodes.ts'
import { countersIfCancelled, noEnds, recordEarlierEnds } from './earlier-ends.ts'
import { momentOf } from './run-clock.ts'
import { isFinal, isOver, type RunRow } from './run-row.ts'
import { type RunStore, toStatus } from './run-store.ts'

/**
 * Cancels a run: it is marked, so that none of its episodes is taken up again; those that were queued or played are cancelled, one
 * by one; and once none of them can end any longer and all that ended is counted, the run is cancelled. What an episode's own item
 * says is what counts, so an end that comes before its episode is cancelled is one. A run whose last episode so ended is not
 * cancelled. What dies on the way is finished by the sweeper.
 *
 * @param refuse - called for a run that has ended in another way
 */
export async function cancelRun(
  world: World,
  store: RunStore,
  run: string,
  refuse: (row: RunRow) => never,
): Promise<void> {
  await recordEarlierEnds(world, store, run)
  await store.change(run, (row) => {
    if (isFinal(row.status) && row.status !== 'cancelled') refuse(row)
    return isOver(row) ? null : { set: { cancelling: true } }
  })
  await finishCancelling(world, store, run)
}

/** Brings a run that was marked to be cancelled to that end. Safe to call at any time, by several at once. */
export async function finishCancelling(world: World, store: RunStore, run: string): Promise<void> {
  await cancelEpisodes(world, run)
  await foldEnds(world, store, run)
  await store.change(run, (row) => {
    if (isFinal(row.status) || row.cancelling !== true) return null
    const change = toStatus(row, 'cancelled', 'Cancelled by request.', momentOf(world.clock))
    return {
      ...change,
      set: { ...change.set, ...countersIfCancelled(row), earlier: noEnds, cancelling: false },
    }
  })
}
