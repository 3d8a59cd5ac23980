import { type EpisodeError, type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import { modelFailureOf } from '../../contracts/model-failure.ts'
import type { IncomingMessage } from '../../world/ports.ts'
import { FirstAnswers } from '../answers/first-answers.ts'
import { type EpisodeObserver, observed } from '../episode-observer.ts'
import { EpisodePlayer, type PlayOutcome } from '../episode-player.ts'
import type { StopReason } from '../episode-stopped-error.ts'
import type { ProblemBook } from '../preflight/problem-book.ts'
import type { RunRow } from '../runs/run-row.ts'
import { admittedScope } from '../spending/admitted-scope.ts'
import type { Spending } from '../spending/spending.ts'
import { type ClaimOptions, claimEpisode } from './claim-episode.ts'
import { type ClaimedEpisode, concludeEpisode } from './conclude-episode.ts'
import { callsNeverFit, divergedAgain, isTransient, toEpisodeError } from './episode-error.ts'
import { type EpisodeMessage, episodeMessageSchema } from './episode-message.ts'
import { type EpisodeProgram, type EpisodePrograms, unusableAnswers } from './episode-program.ts'
import { type EpisodeRow, endedUnusable, isInJournal } from './episode-row.ts'
import { holdRound, isReadLater } from './hold-round.ts'
import { otherCode, othersCode, versionWait, waitsForVersion } from './other-versions.ts'
import { GivenUpClaims, releaseEpisode, sendEpisode } from './release-episode.ts'
import { watchMeter } from './watch-meter.ts'

// Gives up an episode after this many consecutive turns without progress whose deadline cut off a call.
const mostCutTurns = 5

// The maximum of consecutive waits for storage: a quarter of an hour in all. The longest wait in seconds.
const mostStorageWaits = 20
const longestStorageWait = 60

interface Turn {
  progressed: boolean
  lostCalls: number
}

export interface RunnerOptions extends Omit<ClaimOptions, 'givenUp'> {
  spending: Spending
  problems: ProblemBook
  programs: EpisodePrograms
  gatherFor?: number
  onEpisodeEnd?: (run: string, episode: string, result: EpisodeResult) => void
  onAnswer?: (run: string, milliseconds: number) => void
  observer?: EpisodeObserver
}

/**
 * Plays one queued episode as far as possible: claims it, plays it against its journal, and publishes its end or
 * leaves it for the next worker. Safe under duplicate messages and racing workers: the claim is compare-and-set, and
 * behind it the journal is the fence.
 */
export class EpisodeRunner {
  readonly #options: RunnerOptions
  readonly #taken = new Map<string, { message: EpisodeMessage; playing: Promise<void> }>()
  readonly #playing = new Set<{ run: string; player: EpisodePlayer }>()
  readonly #firstAnswers: FirstAnswers
  readonly #givenUp: GivenUpClaims
  #stopped: { reason: StopReason; message: string } | null = null

  constructor(options: RunnerOptions) {
    this.#options = options
    const { store, world } = options
    const stop = (run: string, reason: string) => this.stop('paused', reason, run)
    this.#firstAnswers = new FirstAnswers({ world, store, stop })
    this.#givenUp = new GivenUpClaims(options)
  }

  get runs(): Set<string> {
    return new Set([...this.#playing].map(({ run }) => run))
  }

  get taken(): { run: string; episode: string }[] {
    return [...this.#taken.values()].map(({ message: { run, episode } }) => ({ run, episode }))
  }

  stop(reason: StopReason, message: string, run?: string): void {
    if (run === undefined) {
      this.#stopped = { reason, message }
      this.#options.preflight.stop()
    }
    for (const entry of this.#playing) {
      if (run === undefined || entry.run === run) entry.player.stop(reason, message)
    }
  }

  async look(row: RunRow): Promise<void> {
    if (row.status === 'cancelled' || row.cancelling === true)
      this.stop('cancelled', 'The run was cancelled.', row.id)
    else if (row.status !== 'running') this.stop('paused', `The run is ${row.status}.`, row.id)
    else await this.#options.spending.update(row)
  }

  /**
   * Returns this worker's unspent allowance of the runs it played. @throws the error that kept a call from being
   * counted
   */
  async leave(): Promise<void> {
    await this.#options.spending.leaveAll()
  }

  async holdAgain(): Promise<void> {
    await this.#options.spending.holdAgain()
  }

  /** Releases the claim of a play that failed, if its release failed too. */
  releaseAgain(message: EpisodeMessage): Promise<void> {
    return this.#givenUp.again(message)
  }

  /** Cuts off the effects in flight. Call after {@link stop}. */
  abort(): void {
    for (const { player } of this.#playing) player.abort()
  }

  /**
   * Plays the episode of a message. Once this resolves the message may be deleted: the episode has ended, waits for
   * its run, or was sent again. A second message that arrives meanwhile waits, then checks the episode once more: the
   * first may fail, and the second may be the request for another try.
   * @param isAlone - whether this process plays nothing else: an episode that progresses then is sent back to be
   * played among others
   */
  async play({ body }: Pick<IncomingMessage, 'body'>, isAlone: boolean): Promise<void> {
    const message = episodeMessageSchema.parse(body)
    const id = `${message.run}/${message.episode}`
    for (;;) {
      const earlier = this.#taken.get(id)
      if (earlier === undefined) break
      await earlier.playing.catch(() => undefined)
    }
    const playing = this.#take(message, isAlone)
    this.#taken.set(id, { message, playing })
    try {
      await playing
    } finally {
      this.#taken.delete(id)
    }
  }

  async #take(message: EpisodeMessage, isAlone: boolean): Promise<void> {
    const options = { ...this.#options, givenUp: this.#givenUp }
    const claimed = await claimEpisode(options, message, isAlone)
    if (!claimed) return
    try {
      await this.#play(claimed)
    } catch (error) {
      throw await this.#givenUp.giveUp(claimed, error)
    }
  }

  async #play(claimed: ClaimedEpisode): Promise<void> {
    const { run, journal, row } = claimed
    const { spending } = this.#options
    const other = otherCode(claimed)
    if (other !== null) return this.#startAfresh(claimed, other)
    let lostCalls = 0
    let program: EpisodeProgram
    let player: EpisodePlayer
    try {
      program = await this.#createProgram(claimed, () => {
        lostCalls += 1
      })
      player = this.#createPlayer(claimed, program)
    } catch (error) {
      await this.#fail(claimed, toEpisodeError(error, null), isTransient(error), false)
      return
    }
    const entry = { run, player }
    this.#playing.add(entry)
    try {
      const outcome = await player.play()
      await Promise.all([spending.settled(run), this.#firstAnswers.settled(run)])
      await this.#settle(claimed, outcome, { progressed: journal.segments > row.segments, lostCalls })
    } finally {
      this.#playing.delete(entry)
      await this.#leaveRun(claimed, program)
    }
    if (this.runs.has(run)) return
    this.#firstAnswers.leave(run)
    this.#options.problems.leaveRun(run)
    await spending.leave(run)
  }

  async #leaveRun({ run, place }: ClaimedEpisode, program: EpisodeProgram): Promise<void> {
    const { problems, spending } = this.#options
    const episode = episodeId(place.index)
    try {
      await spending.turns.leave(run, episode)
    } finally {
      try {
        await program.close()
      } finally {
        await problems.leave(run, episode)
      }
    }
  }

  #createProgram({ run, definition, place }: ClaimedEpisode, onLost: () => void): Promise<EpisodeProgram> {
    const { problems, programs, spending } = this.#options
    const episode = episodeId(place.index)
    return programs.program(
      run,
      definition.request,
      place,
      (choice) =>
        watchMeter(spending.meter(run, choice), {
          onLost,
          onAnswered: (milliseconds) => {
            problems.answered(run, episode)
            this.#options.onAnswer?.(run, milliseconds)
          },
          onTrouble: (problem) => problems.note(run, episode, problem),
          onWarning: (warning) => problems.warn(run, warning),
        }),
      (received) => this.#firstAnswers.note(run, received),
    )
  }

  #createPlayer(claimed: ClaimedEpisode, program: EpisodeProgram): EpisodePlayer {
    const { definition, place, journal, isAlone, run } = claimed
    const episode = episodeId(place.index)
    const { gatherFor = 0, observer, spending } = this.#options
    const turn = observer?.turn(observed(claimed))
    const { request } = definition
    const player: EpisodePlayer = new EpisodePlayer({
      journal,
      play(scope) {
        const admitted = admittedScope(scope, (leaving) => spending.turns.enter(run, episode, leaving))
        return program.play(turn?.scope(admitted) ?? admitted)
      },
      steps: () => program.steps(),
      // The limits are for play: a lesson cut off would leave nothing to play with.
      limits: place.purpose === 'play' ? request.episode_limits : {},
      seed: [request.sampling_seed ?? request.seed, place.task, place.epoch],
      gatherFor,
      sinceClaim: () => this.#options.world.clock.now() - claimed.takenAt,
      ...(program.subject !== undefined && { subject: program.subject }),
      beforeCommit: () => spending.counted(),
      onCommit: (records) => {
        turn?.committed(records)
        if (isAlone) player.stop('deadline', 'The episode got further alone, and goes on among others.')
      },
    })
    if (this.#stopped) player.stop(this.#stopped.reason, this.#stopped.message)
    return player
  }

  async #settle(played: ClaimedEpisode, outcome: PlayOutcome, turn: Turn): Promise<void> {
    if (outcome.type === 'ended') await this.#endPlayed(played, outcome.limit, turn)
    else if (outcome.type === 'left') await this.#leave(played, outcome, turn)
    else if (outcome.type === 'diverged') await this.#startAfresh(played, outcome.message)
    else if (!(await this.#waitForModels(played, outcome.error))) {
      const error = toEpisodeError(outcome.error, outcome.effect)
      const transient = isTransient(outcome.error)
      if (isInJournal(played.row, error) && !transient && !turn.progressed)
        await this.#playAnew(played, { last_error: error.message })
      else await this.#fail(played, error, transient, turn.progressed)
    }
  }

  async #waitForModels(played: ClaimedEpisode, error: unknown): Promise<boolean> {
    const { preflight, store } = this.#options
    const failure = modelFailureOf(error)
    if (failure !== 'refused' && failure !== 'unreachable') return false
    const row = await store.get(played.run)
    // A refusal from before a pause says nothing about a later probe: the model may have recovered meanwhile.
    const wasResumed = row.running_since !== row.started_at && (row.running_since ?? 0) >= played.takenAt
    if (!wasResumed && (await preflight.again(row, played.definition.request)) === 'passed') return false
    if (await this.#release(played, { idle_starts: 0 })) await this.#sendIfGoing(played, 1)
    return true
  }

  /**
   * A retried episode whose answers were all unusable has them in its journal: it restarts from zero, because the
   * model may have been fixed meanwhile.
   */
  async #endPlayed(played: ClaimedEpisode, limit: EpisodeResult['limit'], turn: Turn): Promise<void> {
    if (endedUnusable(played.row) && !turn.progressed)
      await this.#playAnew(played, { last_error: unusableAnswers })
    else await this.#end(played, null, limit)
  }

  async #leave(
    played: ClaimedEpisode,
    { reason }: { reason: StopReason },
    { progressed, lostCalls }: Turn,
  ): Promise<void> {
    if (reason === 'fenced') {
      // The faster worker may have lost its claim to this worker, and could then not end the episode.
      if (await this.#release(played, { idle_starts: 0 })) await this.#send(played, 1)
      return
    }
    const { idle_starts, cut_turns = 0 } = played.row
    // Calls that never fit before a deadline would be paid for again and again.
    const isCut = reason === 'deadline' && lostCalls > 0 && !progressed
    if (isCut && cut_turns + 1 >= mostCutTurns) {
      await this.#end(played, callsNeverFit(cut_turns + 1))
      return
    }
    const idle = isCut ? { cut_turns: cut_turns + 1 } : { idle_starts: idle_starts - 1 }
    const set = progressed ? { idle_starts: 0, cut_turns: 0, deaths: [], death_waits: 0 } : idle
    if (await this.#release(played, set)) await this.#sendIfGoing(played, 0)
  }

  /** Leaves a journal of other code unchanged: to live workers with that code, or else for an attempt from zero, once. */
  async #startAfresh(played: ClaimedEpisode, message: string): Promise<void> {
    const { code, row } = played
    const others = await othersCode(this.#options, played)
    if (others !== null) {
      this.#options.problems.note(played.run, episodeId(played.place.index), waitsForVersion(others))
      const set = { stays_with: others, idle_starts: row.idle_starts - 1 }
      if (await this.#release(played, set)) await this.#sendIfGoing(played, versionWait)
      return
    }
    if (row.restarted_by === code) await this.#end(played, divergedAgain(message))
    else await this.#playAnew(played, { restarted_by: code, stays_with: null })
  }

  async #playAnew(played: ClaimedEpisode, set: Partial<EpisodeRow>): Promise<void> {
    const anew = { ...set, attempt: played.row.attempt + 1, segments: 0, idle_starts: 0 }
    if (await this.#release(played, anew)) await this.#send(played, 0)
  }

  async #fail(
    played: ClaimedEpisode,
    error: EpisodeError,
    transient: boolean,
    progressed: boolean,
  ): Promise<void> {
    if (await this.#waitForStorage(played, error, progressed)) return
    const { definition, row } = played
    const isNew = transient || progressed || row.last_error !== error.message
    if (row.errors >= definition.request.max_retries || !isNew) {
      if (!transient || !(await this.#holdRound(played, error))) await this.#end(played, error)
      return
    }
    this.#options.problems.note(played.run, episodeId(played.place.index), error.message)
    const again = { errors: row.errors + 1, last_error: error.message, idle_starts: 0 }
    const delay = transient ? Math.min(2 ** row.errors, 60) : 0
    if (await this.#release(played, again)) await this.#send(played, delay)
  }

  /**
   * Leaves an episode for a while after a storage failure without using one of its retries: the episode is not at
   * fault.
   * @returns false for another error, and if the storage keeps failing
   */
  async #waitForStorage(
    played: ClaimedEpisode,
    { code }: EpisodeError,
    progressed: boolean,
  ): Promise<boolean> {
    if (code !== 'storage_failed') return false
    const waits = progressed ? 0 : (played.row.storage_waits ?? 0)
    if (waits >= mostStorageWaits) return false
    const wasReleased = await this.#release(played, { storage_waits: waits + 1, idle_starts: 0 })
    if (wasReleased) await this.#sendIfGoing(played, Math.min(2 ** waits, longestStorageWait))
    return true
  }

  /**
   * Leaves an episode that later rounds need and a retry may fix, to be played again once the run is resumed; once.
   * @returns false if it ends with its error
   */
  async #holdRound(played: ClaimedEpisode, error: EpisodeError): Promise<boolean> {
    const { store } = this.#options
    const { place, row, run } = played
    if (row.held === true || !isReadLater(await store.get(run), place.index)) return false
    const set = { held: true, errors: 0, last_error: error.message, idle_starts: 0 }
    if (!(await this.#release(played, set))) return true
    const reason = await holdRound(this.#options, { run, index: place.index }, error)
    if (reason !== null) this.stop('paused', reason, run)
    else await this.#sendIfGoing(played, 1)
    return true
  }

  #release(played: ClaimedEpisode, set: Partial<EpisodeRow>): Promise<boolean> {
    return releaseEpisode(this.#options.world, played, set)
  }

  async #sendIfGoing(played: ClaimedEpisode, delay: number): Promise<void> {
    const { status } = await this.#options.store.get(played.run)
    if (status === 'running' || status === 'queued') await this.#send(played, delay)
  }

  #send({ run, place }: ClaimedEpisode, delay: number): Promise<void> {
    return sendEpisode(this.#options.world, { run, episode: episodeId(place.index) }, { delay })
  }

  async #end(
    played: ClaimedEpisode,
    error: EpisodeError | null,
    limit: EpisodeResult['limit'] = null,
  ): Promise<void> {
    const result = await concludeEpisode(this.#options, played, { error, limit })
    if (result) this.#options.onEpisodeEnd?.(played.run, episodeId(played.place.index), result)
    if (result) this.#options.observer?.ended(observed(played), result)
    await this.#options.steward.tend(played.run)
  }
}
