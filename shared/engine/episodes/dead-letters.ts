import { episodeIndex } from '../../contracts/episode.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'
import type { RunDefinitions } from '../runs/run-definition.ts'
import type { RunStore } from '../runs/run-store.ts'
import { topUp } from '../runs/top-up.ts'
import { isAlive } from '../workers.ts'
import { toResult } from './conclude-episode.ts'
import { endEpisode } from './end-episode.ts'
import { toEpisodeError } from './episode-error.ts'
import { type EpisodeMessage, mostReceives } from './episode-message.ts'
import { type EpisodeRow, hasEnded } from './episode-row.ts'

export interface DeadLetterOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
}

/** Keeps why an episode could not be played, for when its message ends among the dead letters. */
export async function noteFailure(
  { world }: Pick<DeadLetterOptions, 'world'>,
  { run, episode }: EpisodeMessage,
  error: unknown,
): Promise<void> {
  const { name, message } = toEpisodeError(error, null)
  await world.ledger.update({
    key: ledgerKeys.episode(run, episode),
    set: { last_error: `${name}: ${message}` },
    if: [{ attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
  })
}

/**
 * Ends the episode of a dead letter as `errored`, with the cause, so that its run comes to an end and it can be retried.
 * One that has ended, waits for a pause to be over, or is being played is left as it is.
 *
 * @returns whether it was ended
 */
export async function buryEpisode(
  { world, store, definitions }: DeadLetterOptions,
  { run, episode }: EpisodeMessage,
): Promise<boolean> {
  const row = (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
  if (!row || hasEnded(row)) return false
  if (row.worker !== null && (await isAlive(world, row.worker))) return false
  // To resume the run sends its episodes again.
  const runRow = await store.get(run)
  if (runRow.status === 'paused') return false
  const cause = row.last_error ?? 'none was told, because each time its worker ended without a word'
  const message = `The episode was taken up ${mostReceives} times and could not be played. The last error: ${cause}. POST /v1/runs/${run}/retry plays it again once the run has ended.`
  const place = await definitions.place(runRow, episodeIndex(episode) ?? row.index)
  const error = { name: 'DeadLetter', message, effect: null }
  const ended = await endEpisode(
    world,
    store,
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
  if (ended) await topUp(world, store, definitions, run)
  return ended
}
