import { hash, randomUUID } from 'node:crypto'
import { deserialize, serialize } from 'node:v8'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { StepResultError } from '../../shared/environments/check-result.ts'
import type { DataPack } from '../../shared/environments/data-pack.ts'
import {
  type IsolatedCore,
  type IsolatedEnvironment,
  type IsolatedResult,
  isHosted,
  isIsolated,
  type PureCore,
  type PureEnvironment,
} from '../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { parseEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import type { BackendAnswer, ServedEnvironment, SessionBackend, ValueState } from './session-backend.ts'

/**
 * Maximum number of opened environments kept, by files and options, so that sessions of one task share loaded data.
 */
const mostKept = 64

type ValueEnvironment = PureEnvironment | IsolatedEnvironment

/**
 * Serves an environment with a pure core. Its sessions' states are values in this process.
 * @returns null for any other environment, which needs its own host
 */
export async function servePure(definition: EnvironmentDefinition): Promise<ServedEnvironment | null> {
  const environment = await definition.open(null, parseEnvironmentOptions(definition))
  if (isHosted(environment)) return null
  const opened = new Map<string, Promise<ValueEnvironment>>()

  function openWith(
    files: Readonly<Record<string, string>> | undefined,
    options: JsonObject,
  ): Promise<ValueEnvironment> {
    const pack = files === undefined ? null : packOf(files)
    const key = JSON.stringify([pack?.digest ?? null, options])
    const known = opened.get(key)
    const opening = known ?? openPure(definition, pack, options)
    opened.delete(key)
    opened.set(key, opening)
    if (known) return known
    opening.catch(() => opened.delete(key))
    const oldest = opened.size > mostKept ? opened.keys().next().value : undefined
    if (oldest !== undefined) opened.delete(oldest)
    return opening
  }

  return {
    id: definition.id,
    facts: async () => environment,
    async open({ task, seed, files, options: given }) {
      const options = parseEnvironmentOptions(definition, given)
      const isPlain = files === undefined && given === undefined
      const played = isPlain ? environment : await openWith(files, options)
      if (isIsolated(played)) return new IsolatedBackend(played.isolate(task), played.id, seed)
      return new PureBackend(await played.open(task), task, seed)
    },
  }
}

async function openPure(
  definition: EnvironmentDefinition,
  pack: DataPack | null,
  options: JsonObject,
): Promise<ValueEnvironment> {
  if (pack !== null && definition.pack === undefined) {
    throw new EspalierError('invalid_request', `${definition.id} takes no files. Leave them out.`, {
      param: 'files',
    })
  }
  const environment = await definition.open(pack, options)
  if (!isHosted(environment)) return environment
  throw new Error(`${definition.id} is pure over its own data, and so it should be over a pack.`)
}

function packOf(files: Readonly<Record<string, string>>): DataPack {
  const paths = Object.keys(files).sort()
  const digest = hash('sha256', JSON.stringify(paths.map((path) => [path, files[path]])), 'base64url')
  return {
    digest,
    name: 'files of a request',
    files: paths,
    async read(path) {
      const text = Object.hasOwn(files, path) ? files[path] : undefined
      if (text !== undefined) return Buffer.from(text)
      throw new EspalierError('not_found', `The request carries no file "${path}". Send it in files.`, {
        param: 'files',
      })
    },
  }
}

class PureBackend implements SessionBackend, ValueState {
  readonly #core: PureCore
  readonly #task: string
  readonly #seed: number
  #state: JsonObject

  constructor(core: PureCore, task: string, seed: number, state: JsonObject = {}) {
    this.#core = core
    this.#task = task
    this.#seed = seed
    this.#state = state
  }

  get value(): ValueState {
    return this
  }

  reset(): BackendAnswer {
    const { state, observation } = this.#core.reset(this.#task, this.#seed)
    this.#state = state
    return { observation, reward: 0, done: false, valid: true, progress: 0 }
  }

  step(action: string): BackendAnswer {
    const { state, observation, reward, done, valid, progress } = this.#core.step(this.#state, action)
    this.#state = state
    return { observation, reward, done, valid, progress }
  }

  validActions(): readonly string[] | null {
    return this.#core.validActions?.(this.#state) ?? null
  }

  read(): JsonObject {
    return this.#state
  }

  write(state: JsonObject): void {
    this.#state = state
  }

  copy(): SessionBackend {
    return new PureBackend(this.#core, this.#task, this.#seed, this.#state)
  }

  close(): void {
    this.#state = {}
  }
}

class IsolatedBackend implements SessionBackend, ValueState {
  readonly #core: IsolatedCore
  readonly #environment: string
  readonly #seed: number
  readonly #caller = randomUUID()
  #bytes: Uint8Array

  constructor(core: IsolatedCore, environment: string, seed: number, bytes: Uint8Array = serialize({})) {
    this.#core = core
    this.#environment = environment
    this.#seed = seed
    this.#bytes = bytes
  }

  get value(): ValueState {
    return this
  }

  reset(): Promise<BackendAnswer> {
    return this.#take(() => this.#core.reset(this.#seed, { caller: this.#caller, step: 0 }))
  }

  step(action: string): Promise<BackendAnswer> {
    return this.#take(() => this.#core.step(this.#kept, action, { caller: this.#caller, step: null }))
  }

  async validActions(): Promise<readonly string[] | null> {
    return (await this.#core.validActions(this.#kept, { caller: this.#caller, step: null })).actions
  }

  read(): JsonObject {
    return deserialize(this.#bytes) as JsonObject
  }

  write(state: JsonObject): void {
    this.#bytes = serialize(state)
  }

  copy(): SessionBackend {
    return new IsolatedBackend(this.#core, this.#environment, this.#seed, this.#bytes)
  }

  close(): void {
    this.#bytes = serialize({})
  }

  get #kept() {
    return { bytes: this.#bytes, hash: '' }
  }

  async #take(work: () => Promise<IsolatedResult>): Promise<BackendAnswer> {
    let result: IsolatedResult
    try {
      result = await work()
    } catch (error) {
      throw this.#toAnswer(error)
    }
    const { state, observation, reward, done, valid, progress } = result
    this.#bytes = state.bytes
    return { observation, reward, done, valid, progress }
  }

  /** Another session would fail likewise, so none is opened for it. */
  #toAnswer(error: unknown): EspalierError {
    if (EspalierError.isInstance(error)) return error
    const { name, message } = error instanceof Error ? error : { name: 'Error', message: String(error) }
    const text =
      error instanceof StepResultError
        ? message
        : `The environment ${this.#environment} failed: ${name}: ${message}`
    return new EspalierError('environment_failed', text, { cause: error })
  }
}
