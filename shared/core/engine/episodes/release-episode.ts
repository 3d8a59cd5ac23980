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

type GivenUp = EpisodeToEnd & { row: EpisodeRow }

/**
 * Releases the claims of plays that failed. If the storage fails too, a claim is kept and released {@link again}: its
 * worker lives, so other workers would wait for it.
 */
export class GivenUpClaims {
  readonly #ledger: World['ledger']
  readonly #worker: string
  readonly #kept = new Map<string, GivenUp>()

  constructor({ world, worker }: { world: Pick<World, 'ledger'>; worker: string }) {
    this.#ledger = world.ledger
    this.#worker = worker
  }

  /** @returns the error, with that of the release if it failed */
  async giveUp(claimed: GivenUp, error: unknown): Promise<unknown> {
    try {
      await this.#release(claimed)
      return error
    } catch (failure) {
      this.#kept.set(keyOf(claimed.run, episodeId(claimed.place.index)), claimed)
      return new AggregateError([error, failure], String(error))
    }
  }

  async again({ run, episode }: EpisodeMessage): Promise<void> {
    const key = keyOf(run, episode)
    const claimed = this.#kept.get(key)
    if (claimed === undefined) return
    await this.#release(claimed)
    this.#kept.delete(key)
  }

  async #release(claimed: GivenUp): Promise<void> {
    const change = released(claimed, { idle_starts: claimed.row.idle_starts - 1 })
    const isOurs = { attribute: 'worker', is: 'equal' as const, value: this.#worker }
    await this.#ledger.update({ ...change, if: [...holds(claimed.claim), isOurs] })
  }
}

function keyOf(run: string, episode: string): string {
  return `${run}/${episode}`
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
