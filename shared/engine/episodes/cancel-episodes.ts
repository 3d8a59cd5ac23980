import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'

/** Marks the episodes of a cancelled run that were queued or played as cancelled. Whoever plays one leaves it. */
export async function cancelEpisodes(world: World, run: string): Promise<void> {
  const { ledger } = world
  const { partition } = ledgerKeys.active(run, '')
  for (let more = true; more; ) {
    const page = await ledger.query(partition, { limit: 100 })
    for (const { sort: episode } of page.items) {
      const key = ledgerKeys.episode(run, episode)
      const open = [{ attribute: 'status', is: 'one_of' as const, values: ['queued', 'running'] }]
      await ledger.update({ key, set: { status: 'cancelled', worker: null, result: null }, if: open })
      await ledger.update({ key: ledgerKeys.active(run, episode), delete: true })
    }
    more = page.items.length > 0
  }
}
