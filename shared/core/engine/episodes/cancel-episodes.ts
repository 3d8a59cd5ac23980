import type { Ledger, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { type EpisodeRow, endIfCancelled } from './episode-row.ts'

export async function cancelEpisodes(world: World, run: string): Promise<void> {
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
