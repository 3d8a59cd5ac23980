import type { JsonObject } from '../../core/contracts/json.ts'
import type { SessionSnapshot } from '../../core/contracts/session.ts'
import type { IsolatedEnvironment, PureEnvironment, StepResult } from '../environment.ts'
import { hashState } from '../hash-state.ts'
import { type OpenCore, openCore } from '../open-core.ts'
import { extendPath, snapshotDigest, startPath } from '../session-path.ts'
import type { LiveEnvironment, SessionRequest, SessionResult, SessionSource } from '../session-source.ts'
import { findNoJson } from './find-no-json.ts'

interface Origin {
  environment: string
  task: string
  seed: number
}

export const validationCaller = 'validation'

export class PureSessions implements SessionSource {
  readonly #environment: PureEnvironment | IsolatedEnvironment

  constructor(environment: PureEnvironment | IsolatedEnvironment) {
    this.#environment = environment
  }

  async open({ task, seed }: SessionRequest): Promise<{ live: PureSession; result: SessionResult }> {
    const core = await openCore(this.#environment, task, validationCaller)
    const live = new PureSession(core, { environment: this.#environment.id, task, seed })
    return { live, result: await live.restore(null) }
  }
}

export class PureSession implements LiveEnvironment {
  readonly #core: OpenCore
  readonly #origin: Origin
  #state: JsonObject = {}
  #path = ''
  #steps = 0

  constructor(core: OpenCore, origin: Origin) {
    this.#core = core
    this.#origin = origin
  }

  get state(): JsonObject {
    return this.#state
  }

  async validActions(): Promise<readonly string[]> {
    return (await this.#core.validActions(this.#state)).actions ?? []
  }

  async step(action: string): Promise<SessionResult> {
    const { state, ...said } = await this.#core.step(this.#state, action)
    this.#path = extendPath(this.#path, action, said)
    this.#steps += 1
    return this.#toResult(state, said)
  }

  async restore(snapshot: SessionSnapshot | null): Promise<SessionResult> {
    if (snapshot === null) {
      const { state, observation } = await this.#core.reset(this.#origin.seed)
      const said = { observation, reward: 0, done: false, valid: true, progress: 0 }
      this.#path = startPath(this.#origin, said)
      this.#steps = 0
      return this.#toResult(state, said)
    }
    const { state, step_index, path, digest, ...said } = snapshot
    this.#path = path
    this.#steps = step_index
    return this.#toResult(structuredClone(state), said)
  }

  async close(): Promise<void> {}

  #toResult(state: JsonObject, said: Omit<StepResult<JsonObject>, 'state'>): SessionResult {
    this.#state = state
    const { observation, reward, done, valid, progress } = said
    const answer = { observation, reward, done, valid, progress }
    if (findNoJson(state) !== null) return { ...answer, state_hash: null, snapshot: null }
    const result = { ...answer, state_hash: hashState(state), path: this.#path, step_index: this.#steps }
    const value = { ...result, state: structuredClone(state) }
    const digest = snapshotDigest(this.#origin, value)
    return { ...answer, state_hash: result.state_hash, snapshot: { ...value, digest } }
  }
}
