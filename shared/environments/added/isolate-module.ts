import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { type ErrorCode, EspalierError, errorCodes } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { retryKilled } from '../../core/threads/retry-killed.ts'
import {
  RemoteCallError,
  ThreadLostError,
  ThreadTimeoutError,
  ThreadUnavailableError,
} from '../../core/threads/thread-errors.ts'
import { ThreadPool } from '../../core/threads/thread-pool.ts'
import { refuseWrong, stepName } from '../check-result.ts'
import type { DataPack } from '../data-pack.ts'
import type {
  IsolatedCall,
  IsolatedCore,
  IsolatedEnvironment,
  IsolatedResult,
  PureEnvironment,
} from '../environment.ts'
import type {
  ModuleActions,
  ModuleAnswer,
  ModuleQuestion,
  ModuleRequest,
  ModuleStart,
  ModuleStep,
} from './module-calls.ts'

export interface IsolationLimits {
  /** Seconds per call. */
  step_time_limit: number
  memory_limit_mb: number
}

export interface IsolationOptions {
  file: string
  pack: DataPack | null
  options: JsonObject | null
  limits: IsolationLimits
}

/**
 * Maximum processes per environment. Calls are short, so a few are enough, and one blocked process must not block the
 * others.
 */
const size = Math.min(Math.max(availableParallelism(), 2), 4)
/** Milliseconds that a process has to load its module and open its environment, unless one call may take longer. */
const shortestStart = 60_000
const idleFor = 60_000

/**
 * Runs the rules of a module's environment in processes of their own. Threads would be slightly faster (0.05 ms a
 * call instead of 0.1). But a single allocation beyond a thread's heap, such as a growing `Map`, ends the whole
 * process.
 * @param environment as loaded here; its rules are not called in this process
 */
export function isolateModule(environment: PureEnvironment, options: IsolationOptions): IsolatedEnvironment {
  const { id, description, snapshot, deterministic, success_threshold, default_max_steps } = environment
  const { reward_range, max_observation_bytes } = environment
  const bounds = {
    ...(reward_range && { reward_range }),
    ...(max_observation_bytes !== undefined && { max_observation_bytes }),
  }
  const calls = new ModuleCalls(id, bounds, options)
  return {
    id,
    description,
    snapshot,
    deterministic,
    success_threshold,
    default_max_steps,
    ...bounds,
    ...options.limits,
    tasks: () => environment.tasks(),
    describe: (task) => environment.describe(task),
    isolate: (task) => isolateTask(calls, task),
  }
}

function isolateTask(calls: ModuleCalls, task: string): IsolatedCore {
  return {
    reset: async (seed, call) => toResult(await calls.call<ModuleStep>({ op: 'reset', task, seed }, call)),
    async step({ bytes: state }, action, call) {
      const { watch = false } = call
      return toResult(await calls.call<ModuleStep>({ op: 'step', task, state, action, watch }, call))
    },
    validActions({ bytes: state }, call) {
      const { watch = false } = call
      return calls.call<ModuleActions>({ op: 'actions', task, state, watch }, call)
    },
  }
}

function toResult({ state: bytes, hash, ...answer }: ModuleStep): IsolatedResult {
  return { ...answer, state: { bytes, hash } }
}

class ModuleCalls {
  readonly #id: string
  readonly #limits: IsolationLimits
  readonly #pool: ThreadPool<ModuleRequest, ModuleAnswer>

  constructor(id: string, bounds: ModuleStart['bounds'], { file, pack, options, limits }: IsolationOptions) {
    this.#id = id
    this.#limits = limits
    const sentPack = pack && { digest: pack.digest, name: pack.name, files: [...pack.files] }
    const start: ModuleStart = { file, id, pack: sentPack, options, bounds }
    this.#pool = new ThreadPool({
      file: new URL(`./module-process${extname(import.meta.filename)}`, import.meta.url),
      name: id,
      size,
      process: { memory: limits.memory_limit_mb },
      startLimit: Math.max(shortestStart, limits.step_time_limit * 1000),
      idleFor,
      answer: async (question: ModuleQuestion) =>
        question.ask === 'start' ? start : pack?.read(question.path),
    })
  }

  async call<Answer extends ModuleAnswer>(
    request: ModuleRequest,
    { caller, step, signal }: IsolatedCall,
  ): Promise<Answer> {
    const limit = Math.ceil(this.#limits.step_time_limit * 1000)
    let answer: ModuleAnswer
    try {
      answer = await retryKilled(() => this.#pool.call(request, { limit, caller, ...(signal && { signal }) }))
    } catch (error) {
      throw this.#toError(error, request.task, step)
    }
    if ('wrong' in answer) refuseWrong(answer.wrong, { environment: this.#id, step })
    return answer as Answer
  }

  #toError(error: unknown, task: string, step: number | null): unknown {
    const { step_time_limit, memory_limit_mb } = this.#limits
    const where = `${stepName(step)} of ${task}`
    if (error instanceof RemoteCallError) return asThrown(error)
    if (error instanceof ThreadTimeoutError) {
      return failed(
        `The environment ${this.#id} took more than ${step_time_limit} seconds for ${where}, its step_time_limit, and was ended there. Correct it, or declare a larger step_time_limit (at most 100) in environments.json or in the module, check it with "espalier environments validate", and retry the run.`,
      )
    }
    if (error instanceof ThreadLostError) {
      return failed(
        `The process of the environment ${this.#id} ended at ${where}: ${error.reason} Correct it, or declare a larger memory_limit_mb (now ${memory_limit_mb}) in environments.json or in the module where it needs more, and retry the run.`,
      )
    }
    if (error instanceof ThreadUnavailableError) {
      return failed(
        `The environment ${this.#id} could not be opened in a process of its own: ${error.reason} Check it with "espalier environments validate".`,
      )
    }
    return error
  }
}

function asThrown({ thrown, message, code }: RemoteCallError): Error {
  if (thrown === 'EspalierError' && code !== null && Object.hasOwn(errorCodes, code))
    return new EspalierError(code as ErrorCode, message)
  return Object.assign(new Error(message), { name: thrown })
}

function failed(message: string): EspalierError {
  return new EspalierError('environment_failed', message)
}
