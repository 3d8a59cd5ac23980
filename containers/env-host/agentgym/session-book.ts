import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import type { FacadeResult, FacadeSession } from '../facade-sessions.ts'
import type { Turns } from '../turns.ts'
import { AgentgymError } from './agentgym-error.ts'

export interface BookedResult extends FacadeResult {
  readonly figures?: { readonly score: number; readonly moves: number }
}

export type CompleteResult = (
  session: FacadeSession,
  result: FacadeResult,
  before: BookedResult | null,
) => Promise<BookedResult>

export interface BookedSession {
  readonly session: FacadeSession
  readonly turns: Turns
  task: EnvironmentTask
  index: number
  opening: BookedResult
  result: BookedResult
  before: BookedResult | null
}

/**
 * The sessions of one facade by the numbers that its clients use. It never holds more than the host has slots: the
 * table closes the least recently used first, so beyond that number the first in the book are gone.
 */
export class SessionBook {
  readonly #slots: number
  readonly #sessions = new Map<number, BookedSession>()
  #next = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  nextId(): number {
    const id = this.#next
    this.#next += 1
    return id
  }

  drawId(): number {
    for (;;) {
      const id = Math.floor(Math.random() * 48_950_077)
      if (!this.#sessions.has(id)) return id
    }
  }

  put(id: number, booked: BookedSession): void {
    this.#sessions.delete(id)
    this.#sessions.set(id, booked)
    for (const [oldest] of this.#sessions) {
      if (this.#sessions.size <= this.#slots) break
      this.#sessions.delete(oldest)
    }
  }

  has(id: number): boolean {
    return this.#sessions.has(id)
  }

  ids(): number[] {
    return [...this.#sessions.keys()]
  }

  find(id: number): BookedSession {
    const booked = this.#sessions.get(id)
    if (booked === undefined) throw this.#missing(id)
    return booked
  }

  /**
   * Works with a session, and forgets it if the host has.
   * @throws AgentgymError for a number without a session
   */
  async use<Result>(id: number, work: (booked: BookedSession) => Promise<Result>): Promise<Result> {
    const booked = this.find(id)
    this.put(id, booked)
    try {
      return await work(booked)
    } catch (error) {
      if (!EspalierError.isInstance(error) || error.code !== 'unknown_session') throw error
      this.#sessions.delete(id)
      throw AgentgymError.deleted(id)
    }
  }

  /** @throws AgentgymError for a number without a session */
  async close(id: number): Promise<void> {
    await this.use(id, ({ session }) => session.close())
    this.#sessions.delete(id)
  }

  #missing(id: number): AgentgymError {
    return id >= 0 && id < this.#next ? AgentgymError.deleted(id) : AgentgymError.unknown(id)
  }
}
