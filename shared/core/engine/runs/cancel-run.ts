import type { Ledger, World } from '../../world/ports.ts'
import { foldEnds } from '../ends/fold-ends.ts'
import { type EpisodeRow, endIfCancelled } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import { countersIfCancelled, noEnds, recordEarlierEnds } from './earlier-ends.ts'
import { momentOf } from './run-clock.ts'
import { isFinal, isOver, type RunRow } from './run-row.ts'
import { type RunStore, toStatus } from './run-store.ts'

/**
 * Cancels a run. It marks the run first, so that no worker claims its episodes, then cancels queued and running
 * episodes one by one. Once none of them can end any longer and all ends are counted, the run is cancelled. An
 * episode's own item decides, so an end before its cancellation counts. A run whose last episode ended that way is
 * not cancelled. The sweeper finishes after a crash.
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

async function cancelEpisodes(world: World, run: string): Promise<void> {
  const { ledger } = world
  const { partition } = ledgerKeys.active(run, '')
  for (let more = true; more; ) {
    const page = await ledger.query(partition, { limit: 100 })
    await Promise.all(page.items.map(({ sort }) => cancelEpisode(ledger, run, sort)))
    more = page.items.length > 0
  }
}

async function cancelEpisode(ledger: Ledger, run: string, episode: string): Promise<void> {
  const key = ledgerKeys.episode(run, episode)
  const row = (await ledger.get(key)) as EpisodeRow | null
  // No end can race: the run that would count it has ended.
  const set = row && { status: endIfCancelled(row), worker: null, alone_with: null }
  const open = [{ attribute: 'status', is: 'one_of' as const, values: ['queued', 'running'] }]
  if (set) await ledger.update({ key, set, if: open })
  await ledger.update({ key: ledgerKeys.active(run, episode), delete: true })
}
