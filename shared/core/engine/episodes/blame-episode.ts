import { type EpisodeError, episodeIndex } from '../../contracts/episode.ts'
import { clipText } from '../../contracts/well-formed.ts'
import type { World } from '../../world/ports.ts'
import type { Steward } from '../ends/steward.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import { hasMoreSegments } from '../read-journal.ts'
import type { RunDefinition, RunDefinitions } from '../runs/run-definition.ts'
import type { RunStore } from '../runs/run-store.ts'
import { toResult } from './conclude-episode.ts'
import { endEpisode, holds } from './end-episode.ts'
import type { EpisodeMessage } from './episode-message.ts'
import { type EpisodeDeath, type EpisodeRow, hasEnded } from './episode-row.ts'
import { isReadLater } from './hold-round.ts'
import { sendEpisode } from './release-episode.ts'

/**
 * Selects the counter of deaths of workers that played an episode alone. `inferred`: the next claim, which finds that
 * the previous claim was never released; not if its worker died with the service's machine. `witnessed`: the supervisor of the workers, through `Engine.blame`; so a
 * machine that restarts blames nothing.
 */
export type DeathCounting = 'inferred' | 'witnessed'

export const mostDeaths = 3

// Seconds before each retry of an episode that others wait for, after too many deaths.
const retryDelays = [60, 300]

export interface WorkerDeath {
  worker: string
  evidence: string
}

export interface BlameOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  steward: Pick<Steward, 'tend'>
}

const longestEvidence = 500

/**
 * Counts a worker's death against the episode that it played alone, and sends the episode back to the queue `alone`.
 * The third death ends it as `errored`. Counts nothing if the worker did not play it alone, left it in good order,
 * was reported before, or progressed first, or if the episode has ended or was taken up again since. Call it before
 * the worker's heartbeat ends and its episodes are sent again.
 * @returns whether the death was counted
 */
export async function blameEpisode(
  options: BlameOptions,
  message: EpisodeMessage,
  { worker, evidence }: WorkerDeath,
): Promise<boolean> {
  const { world } = options
  const { run, episode } = message
  const key = ledgerKeys.episode(run, episode)
  for (;;) {
    const row = (await world.ledger.get(key)) as EpisodeRow | null
    if (!row || hasEnded(row) || row.alone_with !== worker) return false
    const gotFurther = await hasProgressed(world, message, row)
    const deaths = gotFurther ? [] : [...(row.deaths ?? []), toDeath(world, worker, evidence)]
    if (deaths.length >= mostDeaths) return settleDeaths(options, message, { ...row, deaths })
    const { ok } = await world.ledger.transact([
      {
        key,
        set: { deaths, status: 'queued', worker: null, alone_with: null },
        if: [...holds(row), { attribute: 'alone_with', is: 'equal', value: worker }],
      },
      { key: ledgerKeys.active(run, episode), set: { queued_at: 0 } },
    ])
    if (!ok) continue
    await sendEpisode(world, message, { queue: gotFurther ? 'episodes' : 'alone' })
    return !gotFurther
  }
}

export async function hasProgressed(
  { objects }: Pick<World, 'objects'>,
  { run, episode }: EpisodeMessage,
  { attempt, segments }: Pick<EpisodeRow, 'attempt' | 'segments'>,
): Promise<boolean> {
  return hasMoreSegments(objects, objectKeys.journal(run, episode, attempt), segments)
}

export function toDeath({ clock }: Pick<World, 'clock'>, worker: string, evidence: string): EpisodeDeath {
  return { worker, at: new Date(clock.now()).toISOString(), evidence: clipText(evidence, longestEvidence) }
}

/**
 * Ends an episode whose workers have died of it. If other episodes wait for its results, it is first left alone for a
 * while, twice, because its end would end those too; progress in between clears its deaths.
 * @returns whether this call ended it
 */
export async function settleDeaths(
  options: BlameOptions,
  message: EpisodeMessage,
  row: EpisodeRow,
): Promise<boolean> {
  const { world, store, definitions } = options
  const { run, episode } = message
  const waits = row.death_waits ?? 0
  const runRow = await store.get(run)
  const place = await definitions.place(runRow, episodeIndex(episode) ?? row.index)
  const isNeeded = place.purpose === 'learn' || isReadLater(runRow, row.index)
  const delay = isNeeded ? retryDelays[waits] : undefined
  if (delay === undefined) return endOfDeaths(options, message, row)
  const { ok } = await world.ledger.transact([
    {
      key: ledgerKeys.episode(run, episode),
      set: { deaths: [], death_waits: waits + 1, status: 'queued', worker: null, alone_with: null },
      if: holds(row),
    },
    { key: ledgerKeys.active(run, episode), set: { queued_at: 0 } },
  ])
  if (ok) await sendEpisode(world, message, { queue: 'alone', delay })
  return false
}

/**
 * Ends an episode whose workers have died of it, with the evidence of each death. It does not read the journal: that
 * may be the cause.
 * @returns whether this call ended it
 */
async function endOfDeaths(
  { world, store, definitions, steward }: BlameOptions,
  { run, episode }: EpisodeMessage,
  row: EpisodeRow,
): Promise<boolean> {
  const runRow = await store.get(run)
  const place = await definitions.place(runRow, episodeIndex(episode) ?? row.index)
  const definition = await definitions.get(runRow)
  const ending = { purpose: place.purpose, summary: null, limit: null, working_seconds: 0 }
  const result = toResult({
    ...ending,
    error: deathsError(definition, row.deaths ?? []),
    attempt: row.attempt,
  })
  const ended = await endEpisode(world, { run, place, claim: row }, result)
  if (ended) await steward.tend(run)
  return ended
}

function deathsError(
  { request, resolved }: Pick<RunDefinition, 'request' | 'resolved'>,
  deaths: readonly EpisodeDeath[],
): EpisodeError {
  const seen = deaths.map(({ worker, at, evidence }) => `${worker} at ${at}: ${evidence}`).join(' ')
  const module = resolved?.module
  const played = module ? ` The method "${request.method.id}" (${module.file}) was played.` : ''
  const message = `${deaths.length} workers died while they played this episode and nothing else. ${seen}${played} Retry the run once it has ended: that plays the episode again.`
  return { name: 'WorkerDied', message, effect: null }
}
