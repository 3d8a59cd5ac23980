import { EspalierError } from '../../../shared/contracts/errors.ts'
import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import type { FacadeResult, FacadeSession } from '../facade-sessions.ts'
import type { Turns } from '../turns.ts'
import { AgentgymError } from './agentgym-error.ts'

/** The result of a step or a start, with what the environment states beside it. */
export interface BookedResult extends FacadeResult {
  /** ScienceWorld's own score, of 100, and its moves. */
  readonly figures?: { readonly score: number; readonly moves: number }
}

/** Adds to a result what the environment's own server knows; `before` is null at a start. */
export type CompleteResult = (
  session: FacadeSession,
  result: FacadeResult,
  before: BookedResult | null,
) => Promise<BookedResult>

/** A session that a client knows by a number. */
export interface BookedSession {
  readonly session: FacadeSession
  /** What is asked of it at once is answered in order, each from where the one before left it. */
  readonly turns: Turns
  task: EnvironmentTask
  /** The client's number of the task. */
  index: number
  /** The result of the start of its task. */
  opening: BookedResult
  /** The result of its last step, or of the start. */
  result: BookedResult
  /** The result before that; null at the start. */
  before: BookedResult | null
}

/**
 * The sessions of one facade by the numbers that its clients know. It never holds more than the host has slots: the
 * table lets go of those first that were used longest ago, so beyond that number the first in the book are gone.
 */
export class SessionBook {
  readonly #slots: number
  /** The one that was used longest ago comes first. */
  readonly #sessions = new Map<number, BookedSession>()
  #next = 0

  constructor(slots: number) {
    this.#slots = slots
  }

  /** The next number in the order of AgentGym's servers: 0, 1, 2 … */
  nextId(): number {
    const id = this.#next
    this.#next += 1
    return id
  }

  /** A random unused number, as WebShop's server draws it. */
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

  /**
   * What is known of a session, without using it.
   *
   * @throws AgentgymError for a number that has no session
   */
  find(id: number): BookedSession {
    const booked = this.#sessions.get(id)
    if (booked === undefined) throw this.#missing(id)
    return booked
  }

  /**
   * Does something with a session, and forgets it when the host has.
   *
   * @throws AgentgymError for a number that has no session
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

  /** @throws AgentgymError for a number that has no session */
  async close(id: number): Promise<void> {
    await this.use(id, ({ session }) => session.close())
    this.#sessions.delete(id)
  }

  #missing(id: number): AgentgymError {
    return id >= 0 && id < this.#next ? AgentgymError.deleted(id) : AgentgymError.unknown(id)
  }
}
