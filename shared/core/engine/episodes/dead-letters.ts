import { episodeIndex } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import type { Steward } from '../ends/steward.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import { isOver } from '../runs/run-row.ts'
import type { RunStore } from '../runs/run-store.ts'
import { toResult } from './conclude-episode.ts'
import { endEpisode } from './end-episode.ts'
import { isTransient, toEpisodeError } from './episode-error.ts'
import { type EpisodeMessage, mostReceives } from './episode-message.ts'
import { type EpisodeRow, hasEnded } from './episode-row.ts'
import { sendEpisode } from './release-episode.ts'

const againAfter = 60

export interface DeadLetterOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  steward: Pick<Steward, 'tend'>
}

/**
 * Records why an episode could not be played, in case its message becomes a dead letter. Failures of storage or the
 * network do not justify ending it there.
 */
export async function noteFailure(
  { world }: Pick<DeadLetterOptions, 'world'>,
  { run, episode }: EpisodeMessage,
  error: unknown,
): Promise<void> {
  const { name, message } = toEpisodeError(error, null)
  const cause = `${name}: ${message}`
  await world.ledger.update({
    key: ledgerKeys.episode(run, episode),
    set: { last_error: cause, ...(!isTransient(error) && { unplayable: cause }) },
    if: [{ attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
  })
}

/**
 * Settles the episode of a dead letter. If a lasting error prevented its last play too, it ends as `errored` with
 * that cause. So its run can finish and a user can retry it. Any other is sent again after a while: its workers died,
 * or storage failed, and neither is its fault. An episode that has ended or waits for a paused run stays unchanged.
 * @returns whether it was ended
 */
export async function buryEpisode(
  { world, store, definitions, steward }: DeadLetterOptions,
  { run, episode }: EpisodeMessage,
): Promise<boolean> {
  const row = (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
  if (!row || hasEnded(row)) return false
  const runRow = await store.get(run)
  if (runRow.status === 'paused' || isOver(runRow)) return false
  const { unplayable = null, worker } = row
  if (unplayable === null || worker !== null) {
    await sendEpisode(world, { run, episode }, { delay: againAfter })
    return false
  }
  const message = `The episode was taken up ${mostReceives} times and could not be played. The last error: ${unplayable}. Retry the run once it has ended: that plays the episode again.`
  const place = await definitions.place(runRow, episodeIndex(episode) ?? row.index)
  const error = { name: 'DeadLetter', message, effect: null }
  const ended = await endEpisode(
    world,
    { run, place, claim: row },
    toResult({
      purpose: place.purpose,
      summary: null,
      error,
      limit: null,
      working_seconds: 0,
      attempt: row.attempt,
    }),
  )
  if (ended) await steward.tend(run)
  return ended
}
