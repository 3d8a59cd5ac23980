import type { LedgerCondition, World } from '../world/ports.ts'
import type { EpisodeRow } from './episodes/episode-row.ts'
import { hasEnded } from './episodes/episode-row.ts'
import { ledgerKeys } from './keys.ts'
import { isAlive } from './workers.ts'

/**
 * Sends an open run's episodes again that nobody plays: their worker died, or their message was dropped or lost. Sending
 * one too often does no harm.
 *
 * @param queuedBefore - milliseconds since the epoch; an episode that was queued later is still expected to be on its way
 * @returns how many were sent
 */
export async function resendEpisodes(
  world: World,
  run: string,
  queuedBefore = Number.POSITIVE_INFINITY,
): Promise<number> {
  const { clock, ledger, queues } = world
  const { partition } = ledgerKeys.active(run, '')
  let sent = 0
  for (let after: string | undefined, more = true; more; ) {
    const page = await ledger.query(partition, { limit: 100, ...(after !== undefined && { after }) })
    for (const { sort: episode, item } of page.items) {
      const row = (await ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
      if (!row || hasEnded(row)) continue
      const isPlayed = row.worker !== null && (await isAlive(world, row.worker))
      if (isPlayed || (row.worker === null && Number(item.queued_at) > queuedBefore)) continue
      const { starts, worker } = row
      if (worker !== null) {
        // Freed from its dead worker, it counts as queued from now on.
        const asRead: LedgerCondition[] = [
          { attribute: 'starts', is: 'equal', value: starts },
          { attribute: 'worker', is: 'equal', value: worker },
        ]
        const freed = { status: 'queued', worker: null }
        const { ok } = await ledger.update({ key: ledgerKeys.episode(run, episode), set: freed, if: asRead })
        if (!ok) continue
      }
      await ledger.update({
        key: ledgerKeys.active(run, episode),
        set: { queued_at: clock.now() },
        if: [{ is: 'present' }],
      })
      await queues.episodes.send([{ body: { run, episode }, group: run }])
      sent += 1
    }
    after = page.items.at(-1)?.sort
    more = page.more
  }
  return sent
}
