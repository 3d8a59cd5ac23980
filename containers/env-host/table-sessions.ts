import { randomUUID } from 'node:crypto'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Json } from '../../shared/core/contracts/json.ts'
import type { Session } from '../../shared/core/contracts/session.ts'
import type { EnvironmentFacts } from '../../shared/environments/environment.ts'
import type { FacadeResult, FacadeSession, FacadeSessions } from './facade-sessions.ts'
import type { SessionTable } from './session-table.ts'
import { Turns } from './turns.ts'

export class TableSessions implements FacadeSessions {
  readonly #table: SessionTable

  constructor(table: SessionTable) {
    this.#table = table
  }

  get environments(): readonly string[] {
    return this.#table.environments.ids
  }

  get slots(): number {
    return this.#table.health().slots
  }

  isDraining(): boolean {
    return this.#table.health().status === 'draining'
  }

  async describe(environment: string): Promise<EnvironmentFacts> {
    return this.#table.environments.find(environment).facts()
  }

  async open({
    isEvictable = false,
    ...request
  }: {
    environment: string
    task: string
    seed: number
    isEvictable?: boolean
  }): Promise<{ session: FacadeSession; result: FacadeResult }> {
    const session = new TableSession(this.#table, request.environment, isEvictable)
    return { session, result: await session.restart(request.task, request.seed) }
  }
}

class TableSession implements FacadeSession {
  readonly #table: SessionTable
  readonly #environment: string
  readonly #isEvictable: boolean
  readonly #id = `facade-${randomUUID()}`
  readonly #turns = new Turns()
  #token = 0
  #steps = 0

  constructor(table: SessionTable, environment: string, isEvictable: boolean) {
    this.#table = table
    this.#environment = environment
    this.#isEvictable = isEvictable
  }

  restart(task: string, seed: number): Promise<FacadeResult> {
    return this.#turns.take(async () => {
      this.#token += 1
      const place = { id: this.#id, environment: this.#environment, task, seed, token: this.#token }
      const result = await this.#table.create(place, this.#isEvictable)
      this.#steps = 0
      return withoutQuestions(result)
    })
  }

  step(action: string): Promise<FacadeResult> {
    return this.#turns.take(async () => {
      const request = { action, step_index: this.#steps, token: this.#token }
      const result = await this.#table.step(this.#id, request)
      this.#steps += 1
      return withoutQuestions(result)
    })
  }

  validActions(): Promise<readonly string[]> {
    return this.#turns.take(async () => (await this.#table.validActions(this.#id, this.#token)) ?? [])
  }

  inspect(what: string): Promise<Json | null> {
    return this.#turns.take(() => this.#table.inspect(this.#id, this.#token, what))
  }

  close(): Promise<void> {
    return this.#turns.take(async () => {
      try {
        await this.#table.close(this.#id, this.#token)
      } catch (error) {
        if (!EspalierError.isInstance(error) || error.code !== 'unknown_session') throw error
      }
    })
  }
}

/** @throws EspalierError if a model must be asked first: clients of facades cannot, and the reward would be wrong */
function withoutQuestions<Result extends Pick<Session, 'questions'>>(result: Result): Result {
  if (result.questions === undefined) return result
  throw new EspalierError(
    'not_supported',
    'What this answers depends on a model, which only a run of the service asks. Play a task that needs none.',
  )
}
