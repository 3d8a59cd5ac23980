import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json, JsonObject } from '../../shared/core/contracts/json.ts'
import { programAnswerSchema } from '../../shared/core/programs/program-process.ts'
import {
  type BackendAnswer,
  BackendLostError,
  type BackendRequest,
  type KeptStateAccess,
  type SessionBackend,
} from '../env-host/session-backend.ts'
import {
  actionsAnswerSchema,
  inspectAnswerSchema,
  keepAnswerSchema,
  type ProgramRequest,
  programStateSchema,
  restoreAnswerSchema,
  stepAnswerSchema,
} from './program-messages.ts'
import type { PooledProgram, ProgramPool } from './program-pool.ts'

export class ProgramBackend implements SessionBackend {
  readonly #pool: ProgramPool
  readonly #program: PooledProgram
  readonly #request: BackendRequest
  readonly #options: JsonObject
  readonly #session = randomUUID()
  readonly kept?: KeptStateAccess
  #best = 0

  constructor(pool: ProgramPool, program: PooledProgram, request: BackendRequest, options: JsonObject) {
    this.#pool = pool
    this.#program = program
    this.#request = request
    this.#options = options
    if (program.keepsStates)
      this.kept = { keep: () => this.#keep(), restore: (state) => this.#restore(state) }
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

  step(action: string): Promise<BackendAnswer> {
    return this.#orLost(() => this.#ask({ op: 'step', session: this.#session, action }))
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

  async #keep(): Promise<JsonObject> {
    const { id, process } = this.#program
    const { state } = await this.#orLost(() =>
      process.ask({ op: 'keep', session: this.#session }, keepAnswerSchema),
    )
    return { process: id, state, progress: this.#best }
  }

  async #restore(kept: JsonObject): Promise<string> {
    const { id, process } = this.#program
    const { process: keeper, state, progress } = programStateSchema.parse(kept)
    if (keeper !== id) {
      throw new EspalierError('state_not_kept', 'Another process of the program keeps the state.')
    }
    const question = { op: 'restore', session: this.#session, state }
    const { observation } = await this.#orLost(() => process.ask(question, restoreAnswerSchema))
    this.#best = progress
    return observation
  }

  async #orLost<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask()
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code === 'state_not_kept') throw error
      throw new BackendLostError(error.message, error)
    }
  }

  async #ask(request: ProgramRequest): Promise<BackendAnswer> {
    const { progress, ...answered } = await this.#program.process.ask(request, stepAnswerSchema)
    this.#best = Math.max(this.#best, progress ?? Math.min(Math.max(answered.reward, 0), 1))
    return { ...answered, progress: this.#best }
  }
}
