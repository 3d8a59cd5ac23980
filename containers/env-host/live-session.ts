import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json } from '../../shared/core/contracts/json.ts'
import type {
  Session,
  SessionSnapshot,
  SessionStep,
  StepSession,
} from '../../shared/core/contracts/session.ts'
import { actionDigest } from '../../shared/environments/session-path.ts'
import type { SeenResult } from '../../shared/environments/session-source.ts'
import { BackendLostError, type SessionBackend } from './session-backend.ts'
import {
  advance,
  enter,
  type SessionPosition,
  snapshotOf,
  stateOf,
  type TakenStep,
  takeSnapshot,
} from './session-position.ts'
import { Turns } from './turns.ts'

export interface SessionOrigin {
  id: string
  environment: string
  task: string
  seed: number
  token: number
  request: string
}

interface Opened {
  backend: SessionBackend
  position: SessionPosition
}

export interface SessionStart {
  origin: SessionOrigin
  /** @param began receives the backend as soon as it starts work */
  open(began: (backend: SessionBackend) => void): Promise<Opened>
  onLost(session: LiveSession): void
}

export class LiveSession {
  readonly #origin: SessionOrigin
  readonly #onLost: SessionStart['onLost']
  readonly #turns = new Turns()
  #token: number
  #opened: Opened | null = null
  #backend: SessionBackend | null = null
  #isClosing = false
  readonly opening: Promise<Session>
  isEvictable = false
  usedAt = 0

  constructor({ origin, open, onLost }: SessionStart) {
    this.#origin = origin
    this.#token = origin.token
    this.#onLost = onLost
    this.opening = this.#turns.take(async () => {
      this.#opened = await this.#guard(() => open((backend) => this.#begin(backend)))
      this.#begin(this.#opened.backend)
      return this.#describe(this.#opened.position)
    })
  }

  static create(
    { origin, onLost }: Omit<SessionStart, 'open'>,
    openBackend: () => Promise<SessionBackend>,
    snapshot: SessionSnapshot | undefined,
  ): LiveSession {
    const open: SessionStart['open'] = async (began) => {
      const backend = await openBackend()
      began(backend)
      try {
        return { backend, position: await enter(backend, origin, snapshot) }
      } catch (error) {
        await backend.close()
        throw error
      }
    }
    return new LiveSession({ origin, open, onLost })
  }

  /**
   * Another session at the same state.
   * @throws EspalierError `not_supported`, from its opening
   */
  fork(place: Pick<SessionOrigin, 'id' | 'token' | 'request'>, token: number): LiveSession {
    const open = (): Promise<Opened> =>
      this.#use(token, ({ backend, position }) => ({
        backend: stateOf(backend, this.#origin.environment, 'forked').copy(),
        position,
      }))
    return new LiveSession({ origin: { ...this.#origin, ...place }, open, onLost: this.#onLost })
  }

  get id(): string {
    return this.#origin.id
  }

  get token(): number {
    return this.#token
  }

  get request(): string {
    return this.#origin.request
  }

  get isBusy(): boolean {
    return this.#turns.isBusy
  }

  /**
   * Accepts the holder of the highest token, and fences all others off.
   * @throws EspalierError `session_fenced`
   */
  admit(token: number): void {
    if (token < this.#token) {
      throw new EspalierError(
        'session_fenced',
        `The session ${this.id} was taken over by the holder of a higher token. Stop using it.`,
        { param: 'token' },
      )
    }
    this.#token = token
  }

  /**
   * Takes the step, or returns the stored answer if the step is repeated.
   * @throws EspalierError `step_conflict`: another action under a known index, an index that is not the next, or a
   * session whose path is not `from`; `session_done`
   */
  step({ action, step_index, token, from, snapshot = false, ...shown }: StepSession): Promise<SessionStep> {
    return this.#use(token, async (opened) => {
      const { backend, position } = opened
      const name = actionDigest(action)
      const known = step_index < position.step_index ? this.#taken(position, name, step_index) : null
      if (step_index > position.step_index)
        throw this.#conflict(position, `step ${step_index} is not the next`)
      if (from !== undefined && from !== (known?.from ?? position.answer.path)) {
        throw this.#conflict(position, `step ${step_index} was to be taken from elsewhere`)
      }
      if (known === null && position.answer.done) {
        throw new EspalierError(
          'session_done',
          `The session ${this.id} is done since step ${step_index - 1}. Close it, restore it, or fork one that is not.`,
        )
      }
      if (known === null) {
        opened.position = await advance(backend, position, action, { name, seen: seenIn(shown) })
      }
      const taken = known ?? opened.position.last
      if (taken === null) throw new Error('A session that has just taken a step knows it.')
      const answer = { object: 'session.step' as const, session: this.id, step_index, ...taken.answer }
      const isLast = taken === opened.position.last
      const reached = snapshot && isLast ? await snapshotOf(backend, this.#origin, opened.position) : null
      return reached === null ? answer : { ...answer, snapshot: reached }
    })
  }

  snapshot(token: number): Promise<SessionSnapshot> {
    return this.#use(token, ({ backend, position }) => takeSnapshot(backend, this.#origin, position))
  }

  /**
   * Restores a snapshot, or the start of the task.
   * @throws EspalierError `not_supported`; `invalid_request` for a snapshot that is damaged or of another task
   */
  restore(token: number, snapshot: SessionSnapshot | undefined): Promise<Session> {
    return this.#use(token, async (opened) => {
      opened.position = await enter(opened.backend, this.#origin, snapshot)
      return this.#describe(opened.position)
    })
  }

  validActions(token: number): Promise<readonly string[] | null> {
    return this.#use(token, ({ backend }) => backend.validActions())
  }

  inspect(token: number, what: string): Promise<Json | null> {
    return this.#use(token, ({ backend }) => backend.inspect?.(what) ?? null)
  }

  handOver(): SessionBackend | null {
    if (this.#turns.isBusy) return null
    const opened = this.#opened
    this.#opened = null
    this.#backend = null
    return opened?.backend ?? null
  }

  /** Releases its state once no call is pending. It interrupts a pending call if possible. Never fails. */
  close(): Promise<void> {
    this.#isClosing = true
    if (this.isBusy) this.#backend?.interrupt?.()
    return this.#turns.take(async () => {
      const opened = this.#opened
      this.#opened = null
      await opened?.backend.close()
    })
  }

  #begin(backend: SessionBackend): void {
    this.#backend = backend
    if (this.#isClosing) backend.interrupt?.()
  }

  #use<Result>(token: number, work: (opened: Opened) => Result | Promise<Result>): Promise<Result> {
    return this.#turns.take(() => {
      // Another holder may have taken the session over while this call waited for its turn.
      this.admit(token)
      const opened = this.#opened
      if (opened !== null) return this.#guard(() => work(opened))
      throw this.#closed()
    })
  }

  #closed(cause?: unknown): EspalierError {
    const message = `The session ${this.id} was closed. Create it again.`
    return new EspalierError('unknown_session', message, { cause })
  }

  async #guard<Result>(work: () => Result | Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (this.#isClosing) throw this.#closed(error)
      if (!(error instanceof BackendLostError)) throw error
      this.#onLost(this)
      if (error.answer !== undefined) throw error.answer
      throw new EspalierError(
        'unknown_session',
        `The session ${this.id} is gone: ${error.message} Create it again, and take its steps again.`,
        { cause: error },
      )
    }
  }

  #describe({ step_index, answer }: SessionPosition): Session {
    const { id, environment, task, seed } = this.#origin
    return { object: 'session', id, environment, task, seed, step_index, ...answer }
  }

  #taken(position: SessionPosition, name: string, stepIndex: number): TakenStep {
    let taken = position.last
    while (taken !== null && taken.step_index > stepIndex) taken = taken.before
    if (taken === null) throw this.#conflict(position, `step ${stepIndex} lies before its snapshot`)
    if (taken.action !== name) throw this.#conflict(position, `step ${stepIndex} was another action`)
    return taken
  }

  #conflict({ step_index }: SessionPosition, why: string): EspalierError {
    return new EspalierError(
      'step_conflict',
      `The session ${this.id} has taken ${step_index} steps, and ${why}. Restore it, or close it, and replay the path.`,
      { param: 'step_index' },
    )
  }
}

function seenIn({ seen, seen_screen }: Pick<StepSession, 'seen' | 'seen_screen'>): SeenResult | undefined {
  if (seen === undefined) return undefined
  return { observation: seen, ...(seen_screen !== undefined && { screen: seen_screen }) }
}
