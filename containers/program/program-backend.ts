import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { programAnswerSchema } from '../../shared/core/programs/program-process.ts'
import {
  type BackendAnswer,
  BackendLostError,
  type BackendRequest,
  type SessionBackend,
} from '../env-host/session-backend.ts'
import {
  actionsAnswerSchema,
  inspectAnswerSchema,
  type ProgramRequest,
  stepAnswerSchema,
} from './program-messages.ts'
import type { PooledProgram, ProgramPool } from './program-pool.ts'

export class ProgramBackend implements SessionBackend {
  readonly #pool: ProgramPool
  readonly #program: PooledProgram
  readonly #request: BackendRequest
  readonly #options: JsonObject
  readonly #session = randomUUID()
  #best = 0

  constructor(pool: ProgramPool, program: PooledProgram, request: BackendRequest, options: JsonObject) {
    this.#pool = pool
    this.#program = program
    this.#request = request
    this.#options = options
  }

  reset(): Promise<BackendAnswer> {
    this.#best = 0
    const { task, seed, files } = this.#request
    return this.#ask({
      op: 'reset',
      session: this.#session,
      task,
      seed,
      options: this.#options,
      ...(files && { files }),
    })
  }

  async step(action: string): Promise<BackendAnswer> {
    try {
      return await this.#ask({ op: 'step', session: this.#session, action })
    } catch (error) {
      // The state of a program that failed half-way is unknown.
      if (EspalierError.isInstance(error)) throw new BackendLostError(error.message, error)
      throw error
    }
  }

  async validActions(): Promise<readonly string[] | null> {
    const { process, listsActions } = this.#program
    if (!listsActions) return null
    return (await process.ask({ op: 'actions', session: this.#session }, actionsAnswerSchema)).actions
  }

  async inspect(what: string): Promise<Json | null> {
    const { process, inspects } = this.#program
    if (!inspects) return null
    return (await process.ask({ op: 'inspect', session: this.#session, what }, inspectAnswerSchema)).found
  }

  /**
   * Passes its process to another session instead of closing: starting a process may take seconds.
   * @returns a backend for that session; null if the process is of another pool, or gone. This backend is unusable
   * either way
   */
  async passOn(
    pool: ProgramPool,
    request: BackendRequest,
    options: JsonObject,
  ): Promise<ProgramBackend | null> {
    const { process } = this.#program
    if (this.#pool === pool && process.isAlive) {
      try {
        await process.ask({ op: 'close', session: this.#session }, programAnswerSchema)
        return new ProgramBackend(pool, this.#program, request, options)
      } catch {
        await process.end()
      }
    }
    await this.close()
    return null
  }

  async close(): Promise<void> {
    const { process } = this.#program
    try {
      if (process.isAlive) await process.ask({ op: 'close', session: this.#session }, programAnswerSchema)
    } catch {
      // Ends the process with any remaining state of the session.
      await process.end()
    }
    this.#pool.release(this.#program)
  }

  async #ask(request: ProgramRequest): Promise<BackendAnswer> {
    const { progress, ...answered } = await this.#program.process.ask(request, stepAnswerSchema)
    this.#best = Math.max(this.#best, progress ?? Math.min(Math.max(answered.reward, 0), 1))
    return { ...answered, progress: this.#best }
  }
}
