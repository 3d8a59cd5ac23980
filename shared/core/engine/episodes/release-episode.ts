import { episodeId } from '../../contracts/episode.ts'
import type { LedgerChange, World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import { type EpisodeToEnd, holds } from './end-episode.ts'
import type { EpisodeMessage } from './episode-message.ts'
import type { EpisodeRow } from './episode-row.ts'

export interface EpisodeSendOptions {
  queue?: 'episodes' | 'alone'
  /** Seconds until it can be taken. @default 0 */
  delay?: number
}

/**
 * Releases a claim in good order: nothing of it counts against the episode. The episode counts as lost until {@link
 * sendEpisode} has sent it, so that a sweeper finds it immediately if the worker dies in between.
 * @returns false if the claim was void already
 */
export async function releaseEpisode(
  { ledger }: Pick<World, 'ledger'>,
  claimed: EpisodeToEnd,
  set: Partial<EpisodeRow>,
): Promise<boolean> {
  const { run, place } = claimed
  const active = ledgerKeys.active(run, episodeId(place.index))
  const { ok } = await ledger.transact([released(claimed, set), { key: active, set: { queued_at: 0 } }])
  return ok
}

export async function putBackEpisode(
  { ledger }: Pick<World, 'ledger'>,
  claimed: EpisodeToEnd & { row: EpisodeRow },
): Promise<void> {
  await ledger.update(released(claimed, { idle_starts: claimed.row.idle_starts - 1 }))
}

function released({ run, place, claim }: EpisodeToEnd, set: Partial<EpisodeRow>): LedgerChange {
  return {
    key: ledgerKeys.episode(run, episodeId(place.index)),
    set: { ...set, status: 'queued', worker: null, alone_with: null },
    if: holds(claim),
  }
}

export async function sendEpisode(
  { clock, ledger, queues }: Pick<World, 'clock' | 'ledger' | 'queues'>,
  { run, episode }: EpisodeMessage,
  { queue = 'episodes', delay = 0 }: EpisodeSendOptions = {},
): Promise<void> {
  await queues[queue].send([{ body: { run, episode }, group: run, delay }])
  await ledger.update({
    key: ledgerKeys.active(run, episode),
    set: { queued_at: clock.now() + delay * 1000 },
    if: [{ is: 'present' }],
  })
}
