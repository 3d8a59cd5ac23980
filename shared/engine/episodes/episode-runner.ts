import { type EpisodeError, type EpisodeResult, episodeId, episodeIndex } from '../../contracts/episode.ts'
import { EspalierError } from '../../contracts/errors.ts'
import { noUsage } from '../../contracts/usage.ts'
import type { IncomingMessage, World } from '../../world/ports.ts'
import { Coalesced } from '../coalesced.ts'
import { EpisodePlayer, type PlayOutcome } from '../episode-player.ts'
import type { StopReason } from '../episode-stopped.ts'
import { Journal } from '../journal.ts'
import { ledgerKeys, objectKeys } from '../keys.ts'
import type { RunDefinition, RunDefinitions } from '../runs/run-definition.ts'
import { isFinal, type RunRow } from '../runs/run-row.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'
import { topUp } from '../runs/top-up.ts'
import type { Spending } from '../spending/spending.ts'
import { isAlive } from '../workers.ts'
import { type EpisodeToEnd, endEpisode, holds } from './end-episode.ts'
import type { EpisodePrograms } from './episode-program.ts'
import { type EpisodeRow, hasEnded } from './episode-row.ts'

/** After how many starts without progress an episode is played alone, and after how many it is given up. */
const idleStarts = { alone: 2, givenUp: 5 }

export interface EpisodeMessage {
  run: string
  episode: string
}

export interface RunnerOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  spending: Spending
  programs: EpisodePrograms
  worker: string
  /** The version of the code, kept with each segment. */
  code: string
}

interface Played extends EpisodeToEnd {
  definition: RunDefinition
  row: EpisodeRow
  journal: Journal
}

/**
 * Takes one queued episode as far as it goes: claims it, plays it against its journal, and publishes its end or leaves
 * it for whoever comes next. Safe under messages that come twice and workers that race: the claim is compare-and-set, and
 * behind it the journal is the fence.
 */
export class EpisodeRunner {
  readonly #options: RunnerOptions
  /** Episodes that a message has brought here, from before they are claimed until they are settled. */
  readonly #taken = new Map<string, Promise<void>>()
  readonly #playing = new Set<{ run: string; player: EpisodePlayer }>()
  readonly #topUps = new Coalesced()
  #stopped: { reason: StopReason; message: string } | null = null

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  /** Runs that have an episode here. */
  get runs(): Set<string> {
    return new Set([...this.#playing].map(({ run }) => run))
  }

  /** Makes a run's episodes leave at their next uncommitted effect; without a run, all of them and any still to come. */
  stop(reason: StopReason, message: string, run?: string): void {
    if (run === undefined) this.#stopped = { reason, message }
    for (const entry of this.#playing) {
      if (run === undefined || entry.run === run) entry.player.stop(reason, message)
    }
  }

  /** Takes note of how a run stands that is played here. */
  async look(row: RunRow): Promise<void> {
    if (row.status === 'cancelled') this.stop('cancelled', 'The run was cancelled.', row.id)
    else if (row.status !== 'running') this.stop('paused', `The run is ${row.status}.`, row.id)
    else await this.#options.spending.update(row)
  }

  /** Cuts off what is in flight; after {@link stop}. */
  abort(): void {
    for (const { player } of this.#playing) player.abort()
  }

  /**
   * Plays the episode of a message. A second message of the same episode waits for the first one's end, because it may be
   * the one that asks for another try.
   *
   * @param isAlone - whether nothing else is played in this process
   */
  async play({ body }: Pick<IncomingMessage, 'body'>, isAlone: boolean): Promise<void> {
    const { run, episode } = body as unknown as EpisodeMessage
    const id = `${run}/${episode}`
    for (let earlier = this.#taken.get(id); earlier; earlier = this.#taken.get(id)) await earlier
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#taken.set(id, promise)
    try {
      const played = await this.#claim(run, episode, isAlone)
      if (played) await this.#play(played)
    } finally {
      this.#taken.delete(id)
      resolve()
    }
  }

  async #play(played: Played): Promise<void> {
    const { run, definition, place, journal } = played
    const { programs, spending } = this.#options
    const program = programs.program(run, definition.request, place, (choice) => spending.meter(run, choice))
    const player = new EpisodePlayer({
      journal,
      play: (scope) => program.play(scope),
      steps: () => program.steps(),
      limits: definition.request.episode_limits,
      seed: [definition.request.seed, place.task, place.epoch],
    })
    if (this.#stopped) player.stop(this.#stopped.reason, this.#stopped.message)
    const entry = { run, player }
    this.#playing.add(entry)
    try {
      const outcome = await player.play()
      await spending.settled()
      await this.#settle(played, outcome, journal.segments > played.row.segments)
    } finally {
      this.#playing.delete(entry)
    }
    if (!this.runs.has(run)) await spending.leave(run)
  }

  async #claim(run: string, episode: string, isAlone: boolean): Promise<Played | null> {
    const { world, store, definitions, worker, code } = this.#options
    const key = ledgerKeys.episode(run, episode)
    const found = (await world.ledger.get(key)) as EpisodeRow | null
    const runRow = await store.get(run)
    if (!found || hasEnded(found) || found.generation !== runRow.generation) return null
    if (isFinal(runRow.status) || runRow.status === 'paused') return null
    if (found.worker !== null && found.worker !== worker && (await isAlive(world, found.worker))) return null
    const prefix = objectKeys.journal(run, episode, found.attempt)
    const writer = `${worker}/${found.starts + 1}`
    const journal = await Journal.open({ objects: world.objects, clock: world.clock, prefix, writer, code })
    const idle = journal.segments > found.segments ? 0 : found.idle_starts
    if (idle >= idleStarts.alone && idle < idleStarts.givenUp && !isAlone) {
      await world.queues.alone.send([{ body: { run, episode }, group: run }])
      return null
    }
    const set = {
      status: 'running',
      worker,
      starts: found.starts + 1,
      idle_starts: idle + 1,
      segments: journal.segments,
    }
    const claimed = await world.ledger.update({ key, set, if: holds(found) })
    if (!claimed.ok) return null
    await this.#startRun(run, runRow)
    const row = claimed.item as EpisodeRow
    const place = await definitions.place(run, episodeIndex(episode) ?? row.index)
    const definition = await definitions.get(run, runRow.revision)
    const played: Played = { run, place, claim: row, row, definition, journal }
    if (idle < idleStarts.givenUp) return played
    const message = `The episode was taken up ${idle} times in a row and got no further; each time its worker ended without a word.`
    await this.#end(played, { name: 'NoProgress', message, effect: null })
    return null
  }

  async #startRun(run: string, row: RunRow): Promise<void> {
    if (row.status !== 'queued') return
    const { store, world } = this.#options
    await store.change(run, (now) =>
      now.status === 'queued' ? toStatus(now, 'running', null, world.clock.now()) : null,
    )
  }

  async #settle(played: Played, outcome: PlayOutcome, progressed: boolean): Promise<void> {
    if (outcome.type === 'ended') await this.#end(played, null, outcome.limit)
    else if (outcome.type === 'left') await this.#leave(played, outcome, progressed)
    else if (outcome.type === 'diverged') await this.#startAfresh(played, outcome.message)
    else await this.#fail(played, toEpisodeError(outcome), isTransient(outcome.error), progressed)
  }

  async #leave(played: Played, { reason }: { reason: StopReason }, progressed: boolean): Promise<void> {
    if (reason === 'fenced') return
    await this.#release(played, progressed ? { idle_starts: 0 } : { idle_starts: played.row.idle_starts - 1 })
    if (reason === 'deadline') await this.#send(played, 0)
  }

  /** A journal that this code cannot have written is left as it is; the next attempt begins at zero, once. */
  async #startAfresh(played: Played, message: string): Promise<void> {
    const { code } = this.#options
    const { row } = played
    if (row.restarted_by === code) {
      await this.#end(played, {
        name: 'Diverged',
        message: `${message} It did so again after starting afresh.`,
        effect: null,
      })
      return
    }
    await this.#release(played, { attempt: row.attempt + 1, restarted_by: code, segments: 0, idle_starts: 0 })
    await this.#send(played, 0)
  }

  /** Tries again while there are retries left, unless the same error came back with nothing new before it. */
  async #fail(played: Played, error: EpisodeError, transient: boolean, progressed: boolean): Promise<void> {
    const { definition, row } = played
    const isNew = transient || progressed || row.last_error !== error.message
    if (row.errors >= definition.request.max_retries || !isNew) {
      await this.#end(played, error)
      return
    }
    await this.#release(played, { errors: row.errors + 1, last_error: error.message, idle_starts: 0 })
    await this.#send(played, transient ? Math.min(2 ** row.errors, 60) : 0)
  }

  async #release({ run, place, claim }: Played, set: Partial<EpisodeRow>): Promise<void> {
    const key = ledgerKeys.episode(run, episodeId(place.index))
    await this.#options.world.ledger.update({
      key,
      set: { ...set, worker: null, status: 'queued' },
      if: holds(claim),
    })
  }

  async #send({ run, place }: Played, delay: number): Promise<void> {
    const body = { run, episode: episodeId(place.index) }
    await this.#options.world.queues.episodes.send([{ body, group: run, delay }])
  }

  async #end(
    played: Played,
    error: EpisodeError | null,
    limit: EpisodeResult['limit'] = null,
  ): Promise<void> {
    const { world, store, definitions, programs } = this.#options
    const { run, place, journal, definition, row } = played
    const records = await journal.compact()
    const summary = programs.summarise(run, definition.request, place, records)
    const withoutReward = error !== null || limit === 'cost' || limit === 'time'
    const result: EpisodeResult = {
      status: error ? 'errored' : limit ? 'limited' : summary?.success ? 'succeeded' : 'failed',
      reward: withoutReward ? null : (summary?.reward ?? 0),
      success: withoutReward ? null : (summary?.success ?? false),
      limit,
      error,
      steps: summary?.steps ?? 0,
      nodes: summary?.nodes ?? 0,
      path_length: summary?.path_length ?? 0,
      usage: summary?.usage ?? noUsage,
      working_seconds: journal.elapsed,
      attempt: row.attempt,
    }
    const episode = episodeId(place.index)
    if (summary) await this.#publish(objectKeys.tree(run, episode), summary.tree)
    if (summary?.trajectory) await this.#publish(objectKeys.trajectory(run, episode), summary.trajectory)
    await endEpisode(world, store, played, result)
    await this.#topUps.run(run, () => topUp(world, store, definitions, run))
  }

  async #publish(key: string, value: unknown): Promise<void> {
    await this.#options.world.objects.put(key, Buffer.from(JSON.stringify(value)), {
      content_type: 'application/json',
    })
  }
}

function toEpisodeError({ error, effect }: { error: unknown; effect: string | null }): EpisodeError {
  if (error instanceof Error) return { name: error.name, message: error.message, effect }
  return { name: 'Error', message: String(error), effect }
}

/** Whether the same thing may go well later: the world or a model failed, not the episode. */
function isTransient(error: unknown): boolean {
  if (typeof error === 'object' && error !== null && 'transient' in error) return error.transient === true
  return EspalierError.isInstance(error) && error.code === 'storage_failed'
}
