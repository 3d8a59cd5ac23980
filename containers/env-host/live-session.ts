import { EspalierError } from '../../shared/contracts/errors.ts'
import type { JsonObject } from '../../shared/contracts/json.ts'
import type { CreateSession, Session, SessionSnapshot, SessionStep } from '../../shared/contracts/session.ts'
import type { PureEnvironment } from '../../shared/environments/environment.ts'
import {
  actionDigest,
  extendPath,
  type PathAnswer,
  snapshotDigest,
  startPath,
} from '../../shared/environments/session-path.ts'

/** A step that was taken, and those before it. Forks share what lies before them. */
interface TakenStep {
  step_index: number
  action: string
  answer: PathAnswer & { path: string }
  before: TakenStep | null
}

/** Where a session stands. Never changed: a step makes the next one. */
interface Standing {
  state: JsonObject
  step_index: number
  answer: PathAnswer & { path: string }
  last: TakenStep | null
}

export interface SessionOrigin {
  id: string
  environment: PureEnvironment
  task: string
  seed: number
  token: number
  /** Names the request that opened it, so that a repeated one is known. */
  request: string
}

/** One copy of an environment at one state of one task. */
export class LiveSession {
  readonly #origin: SessionOrigin
  #token: number
  #standing: Standing
  /** What opening it answered. */
  readonly opening: Session
  /** When it was last used, in milliseconds of the table's clock. */
  usedAt = 0

  private constructor(origin: SessionOrigin, standing: Standing) {
    this.#origin = origin
    this.#token = origin.token
    this.#standing = standing
    this.opening = this.#describe()
  }

  /** @throws EspalierError `unknown_task`; `invalid_request` for a snapshot that is damaged or of another task */
  static create(origin: SessionOrigin, snapshot?: CreateSession['snapshot']): LiveSession {
    const { environment, task, seed } = origin
    const named = { environment: environment.id, task, seed }
    if (snapshot === undefined) {
      const { state, observation } = environment.reset(task, seed)
      const answer = { observation, reward: 0, done: false }
      const path = startPath(named, answer)
      return new LiveSession(origin, { state, step_index: 0, answer: { ...answer, path }, last: null })
    }
    const { state, step_index, observation, reward, done, path, digest } = snapshot
    if (snapshotDigest(named, snapshot) !== digest) {
      throw new EspalierError(
        'invalid_request',
        'The snapshot does not fit its digest: it is damaged, or of another task or seed. Take it as it was answered, or replay the path.',
        { param: 'snapshot' },
      )
    }
    return new LiveSession(origin, {
      state,
      step_index,
      answer: { observation, reward, done, path },
      last: null,
    })
  }

  /** Another session at the same state. */
  fork(place: Pick<SessionOrigin, 'id' | 'token' | 'request'>): LiveSession {
    return new LiveSession({ ...this.#origin, ...place }, this.#standing)
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

  /**
   * Lets the holder of the highest token in, and fences all others off.
   *
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
   * Takes the step, or answers again what the same step was answered.
   *
   * @throws EspalierError `step_conflict`: another action under a known index, or an index that is not the next;
   * `session_done`
   */
  step(action: string, stepIndex: number): SessionStep {
    const { state, step_index, answer, last } = this.#standing
    if (stepIndex < step_index) return this.#repeat(action, stepIndex)
    if (stepIndex > step_index) throw this.#conflict(`step ${stepIndex} is not the next`)
    if (answer.done) {
      throw new EspalierError(
        'session_done',
        `The session ${this.id} is done since step ${step_index - 1}. Close it, or fork one that is not.`,
      )
    }
    const result = this.#origin.environment.step(state, action)
    const given = { observation: result.observation, reward: result.reward, done: result.done }
    const next = { ...given, path: extendPath(answer.path, action, given) }
    this.#standing = {
      state: result.state,
      step_index: step_index + 1,
      answer: next,
      last: { step_index, action: actionDigest(action), answer: next, before: last },
    }
    return this.#toStep(stepIndex, next)
  }

  snapshot(): SessionSnapshot {
    const { environment, task, seed } = this.#origin
    const { state, step_index, answer } = this.#standing
    const value = { ...answer, step_index, state }
    return { ...value, digest: snapshotDigest({ environment: environment.id, task, seed }, value) }
  }

  #describe(): Session {
    const { id, environment, task, seed } = this.#origin
    const { step_index, answer } = this.#standing
    return { object: 'session', id, environment: environment.id, task, seed, step_index, ...answer }
  }

  #repeat(action: string, stepIndex: number): SessionStep {
    let taken = this.#standing.last
    while (taken !== null && taken.step_index > stepIndex) taken = taken.before
    if (taken === null) throw this.#conflict(`step ${stepIndex} lies before its snapshot`)
    if (taken.action !== actionDigest(action)) throw this.#conflict(`step ${stepIndex} was another action`)
    return this.#toStep(stepIndex, taken.answer)
  }

  #toStep(step_index: number, answer: PathAnswer & { path: string }): SessionStep {
    return { object: 'session.step', session: this.id, step_index, ...answer }
  }

  #conflict(why: string): EspalierError {
    return new EspalierError(
      'step_conflict',
      `The session ${this.id} has taken ${this.#standing.step_index} steps, and ${why}. Close it and replay the path in a new one.`,
      { param: 'step_index' },
    )
  }
}
