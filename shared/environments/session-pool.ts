import { setTimeout as delay } from 'node:timers/promises'
import { EspalierError } from '../core/contracts/errors.ts'
import { isKeptFor, type KnownSnapshots, PathSession, stepsKept } from './path-session.ts'
import type { PathStep, RecordedAnswer } from './recorded-path.ts'
import { SessionLostError } from './session-lost-error.ts'
import type { SessionRequest, SessionSource } from './session-source.ts'

export type PooledTask = Omit<SessionRequest, 'task'> & {
  id: string
  /** The check of a replay. @default exact */
  replays?: 'exact' | 'matched'
  /** Maximum sessions, each at its own state. @default 1 */
  sessions?: number
}

/**
 * Milliseconds before each further session after consecutive losses. One more loss fails the step. The sum is as long
 * as a server takes to restart.
 */
const usualPauses = [0, 250, 500, 1000, 2000, 4000, 8000, 15_000]

/**
 * The sessions of one episode at one task. For each step, one session is brought to the step's start state: the one
 * furthest along the path. If none is on the path, or a snapshot is of a later state, the pool restores a session
 * that can leave its state without loss. That is one whose state has a snapshot, or whose episode is over. Otherwise
 * it opens one more if there is room immediately, so that the others keep their states. As a last resort it uses the
 * least recently used one. A lost session is replaced by another. A diverged replay is retried once if replays are
 * matched or there were snapshots.
 */
export class SessionPool {
  readonly #source: SessionSource
  readonly #task: PooledTask
  readonly #pauses: readonly number[]
  readonly #snapshots: KnownSnapshots = new WeakMap()
  #sessions: PathSession[] = []
  #used: PathSession | null = null
  #closing: Promise<unknown> = Promise.resolve()
  #isRoomWanted = false
  #areSparesFaulty = false
  #opened = 0
  #waited = 0
  #calls = 0
  /** Calls run one after the other, because each depends on the sessions' states after the previous one. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(source: SessionSource, task: PooledTask, pauses: readonly number[] = usualPauses) {
    this.#source = source
    this.#task = task
    this.#pauses = pauses
  }

  takeWaited(): number {
    const waited = this.#waited / 1000
    this.#waited = 0
    return waited
  }

  open(signal: AbortSignal, leaving = signal): Promise<RecordedAnswer> {
    return this.#alone(() =>
      this.#insist(leaving, async () => {
        await this.#letGo(this.#sessions)
        return (await this.#begin(signal, leaving)).answer
      }),
    )
  }

  /**
   * Takes a step from the end of a recorded path.
   * @throws EspalierError `replay_diverged`, naming the first step whose answer differs from the recorded one
   */
  step(
    path: readonly PathStep[],
    action: string,
    signal: AbortSignal,
    leaving = signal,
  ): Promise<RecordedAnswer> {
    const take = async (session: PathSession) => (await session.take(action, signal, path.at(-1))).answer
    return this.#at(path, take, signal, leaving)
  }

  validActions(
    path: readonly PathStep[],
    signal: AbortSignal,
    leaving = signal,
  ): Promise<readonly string[] | null> {
    return this.#at(path, (session) => session.validActions(signal), signal, leaving)
  }

  #at<Result>(
    path: readonly PathStep[],
    work: (session: PathSession) => Promise<Result>,
    signal: AbortSignal,
    leaving: AbortSignal,
  ): Promise<Result> {
    return this.#alone(() =>
      this.#insist(leaving, async (isFirst) => {
        const spare = isFirst && !leaving.aborted ? signal : null
        return this.#onceMore(path, async () => {
          const session = (await this.#choose(path, spare)) ?? (await this.#begin(signal, leaving))
          return this.#use(session, async () => {
            await session.bringTo(path, signal)
            return work(session)
          })
        })
      }),
    )
  }

  async close(): Promise<void> {
    await this.#alone(() => this.#letGo(this.#sessions))
  }

  rest(): void {
    if (this.#calls === 0) void this.#alone(() => this.#letGo(this.#sessions))
  }

  async #insist<Result>(leaving: AbortSignal, work: (isFirst: boolean) => Promise<Result>): Promise<Result> {
    let lost = 0
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await work(isFirst)
      } catch (error) {
        if (!(error instanceof SessionLostError)) throw error
        // Other sessions are open, and the retry opens no spare ones.
        if (this.#sessions.length > 0) continue
        const pause = this.#pauses[lost]
        if (pause === undefined) throw error
        lost += 1
        await this.#wait(() => delay(pause, undefined, { signal: leaving }))
      }
    }
  }

  /**
   * Retries a diverged replay once, without its snapshots. Applies if replays are matched, since programs may differ
   * in their timing, or if there were snapshots.
   */
  async #onceMore<Result>(path: readonly PathStep[], work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const isDiverged = EspalierError.isInstance(error) && error.code === 'replay_diverged'
      if (!isDiverged) throw error
      const dropped = path.filter(({ answer }) => this.#snapshots.delete(answer))
      if (this.#task.replays !== 'matched' && dropped.length === 0) throw error
      return work()
    }
  }

  async #wait<Result>(work: () => Promise<Result>): Promise<Result> {
    const start = performance.now()
    try {
      return await work()
    } finally {
      this.#waited += performance.now() - start
    }
  }

  async #begin(signal: AbortSignal, leaving: AbortSignal): Promise<PathSession> {
    const opened = await this.#wait(() => this.#source.open(this.#request(), signal, leaving))
    return this.#place(new PathSession(opened, this.#rules(false)))
  }

  async #choose(path: readonly PathStep[], spare: AbortSignal | null): Promise<PathSession | null> {
    const nearest = this.#sessions.reduce<PathSession | null>(
      (best, session) => ((session.stepsOf(path) ?? 0) >= (best?.stepsOf(path) ?? 1) ? session : best),
      null,
    )
    const kept = stepsKept(path, this.#snapshots, this.#sessions)
    if (nearest !== null && (nearest.stepsOf(path) ?? 0) >= kept) return nearest
    const snapshot = kept === 0 ? undefined : this.#snapshots.get((path[kept - 1] as PathStep).answer)
    const canGo = (session: PathSession) => snapshot === undefined || isKeptFor(session, snapshot)
    // It can leave its state without loss: its episode is over, or the state has a snapshot.
    const isFree = ({ answer }: PathSession) => answer.done || this.#snapshots.has(answer)
    const free = this.#sessions.find((session) => canGo(session) && isFree(session))
    if (free !== undefined) return free
    const { sessions = 1 } = this.#task
    const { length } = this.#sessions
    const mayOpen = length > 0 && length < sessions && !this.#areSparesFaulty
    const opened = spare !== null && mayOpen ? await this.#openSpare(spare) : null
    if (opened !== null && canGo(opened)) return opened
    return this.#sessions.find(canGo) ?? this.#sessions[0] ?? null
  }

  async #openSpare(signal: AbortSignal): Promise<PathSession | null> {
    this.#isRoomWanted = false
    const request = { ...this.#request(), onNoRoom: () => this.#giveUpSpares() }
    const opening = async () => this.#source.openSpare?.(request, signal)
    const opened = await this.#wait(opening).catch(() => {
      signal.throwIfAborted()
      // The step does not need it. A fault that prevents every session from opening shows when one is needed.
      this.#areSparesFaulty = true
    })
    if (!opened) return null
    const session = this.#place(new PathSession(opened, this.#rules(true)))
    if (!this.#isRoomWanted) return session
    this.#drop(session)
    return null
  }

  #request(): SessionRequest {
    const { id: task, holder, replays: _, sessions: __, ...more } = this.#task
    this.#opened += 1
    return { task, ...more, holder: `${holder}/${this.#opened}` }
  }

  #rules(isSpare: boolean) {
    const { id: task, replays = 'exact' } = this.#task
    return { task, replays, snapshots: this.#snapshots, isSpare }
  }

  #place(session: PathSession): PathSession {
    this.#sessions = [...this.#sessions.filter((each) => each !== session), session]
    return session
  }

  async #use<Result>(session: PathSession, work: () => Promise<Result>): Promise<Result> {
    this.#used = session
    this.#isRoomWanted = false
    try {
      const result = await work()
      this.#place(session)
      if (session.isSpare && this.#isRoomWanted) this.#drop(session)
      return result
    } catch (error) {
      // After any failure the session's state is uncertain.
      await this.#letGo([session])
      throw error
    } finally {
      this.#used = null
    }
  }

  #giveUpSpares(): void {
    this.#isRoomWanted = true
    for (const session of this.#sessions) if (session.isSpare && session !== this.#used) this.#drop(session)
  }

  #drop(session: PathSession): void {
    this.#closing = Promise.all([this.#closing, session.close()])
    this.#sessions = this.#sessions.filter((each) => each !== session)
  }

  async #letGo(sessions: readonly PathSession[]): Promise<void> {
    for (const session of sessions) this.#drop(session)
    await this.#closing
  }

  #alone<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#calls += 1
    const done = this.#last.then(work).finally(() => {
      this.#calls -= 1
    })
    this.#last = done.catch(() => undefined)
    return done
  }
}
