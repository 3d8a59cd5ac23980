import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { Turns } from '../turns.ts'
import { AgentgymError } from './agentgym-error.ts'
import { agentgymServers } from './agentgym-servers.ts'
import { type BookedResult, type BookedSession, type CompleteResult, SessionBook } from './session-book.ts'

const byNumbers = new Intl.Collator('en', { numeric: true })

/** AgentGym has no seeds. */
const seed = 0

export interface TakenStep extends BookedSession {
  before: BookedResult
}

export interface AgentgymGamesOptions {
  environment: string
  sessions: FacadeSessions
  split?: string
  complete?: CompleteResult
}

export class AgentgymGames {
  readonly #environment: string
  readonly #sessions: FacadeSessions
  readonly #split: string | undefined
  readonly #complete: CompleteResult
  readonly book: SessionBook
  #tasks: readonly EnvironmentTask[] | null = null

  constructor({
    environment,
    sessions,
    split,
    complete = async (_, result) => result,
  }: AgentgymGamesOptions) {
    this.#environment = environment
    this.#sessions = sessions
    this.#split = split
    this.#complete = complete
    this.book = new SessionBook(sessions.slots)
  }

  async create(id: number, index: number): Promise<BookedSession> {
    const task = await this.taskAt(index)
    const { session, result } = await this.#sessions.open({
      environment: this.#environment,
      task: task.id,
      seed,
      // AgentGym's clients do not close sessions they leave, and some of its servers cannot.
      isEvictable: true,
    })
    const opening = await this.#complete(session, result, null)
    const booked = { session, turns: new Turns(), task, index, opening, result: opening, before: null }
    this.book.put(id, booked)
    return booked
  }

  async reset(id: number, index: number): Promise<BookedSession> {
    return this.#use(id, async (booked) => {
      const task = await this.taskAt(index)
      const { session } = booked
      const opening = await this.#complete(session, await session.restart(task.id, seed), null)
      Object.assign(booked, { task, index, opening, result: opening, before: null })
      return { ...booked }
    })
  }

  /**
   * Takes a step.
   * @param afterEnd the answer to a step after the end: an error, or the last answer again. Some of AgentGym's
   * servers continue there, which a session of this host does not.
   */
  async step(id: number, action: string, afterEnd: 'error' | 'repeat'): Promise<TakenStep> {
    return this.#use(id, async (booked) => {
      const before = booked.result
      if (before.done && afterEnd === 'error') throw AgentgymError.finished(id)
      if (!before.done) {
        const { session } = booked
        booked.result = await this.#complete(session, await session.step(action), before)
        booked.before = before
      }
      return { ...booked, before }
    })
  }

  #use<Result>(id: number, work: (booked: BookedSession) => Promise<Result>): Promise<Result> {
    return this.book.use(id, (booked) => booked.turns.take(() => work(booked)))
  }

  async count(): Promise<number> {
    return (await this.all()).length
  }

  /** @throws AgentgymError for a number without a task */
  async taskAt(index: number): Promise<EnvironmentTask> {
    const tasks = await this.all()
    const task = tasks[index]
    if (task) return task
    const of =
      this.#split === undefined ? this.#environment : `the split ${this.#split} of ${this.#environment}`
    throw new AgentgymError(`There is no task ${index}: ${of} has the tasks 0 to ${tasks.length - 1}.`)
  }

  async all(): Promise<readonly EnvironmentTask[]> {
    if (this.#tasks === null) {
      const facts = await this.#sessions.describe(this.#environment)
      const tasks = indexTasks(this.#environment, facts.tasks())
      this.#tasks = tasks.filter(({ split }) => this.#split === undefined || split === this.#split)
    }
    return this.#tasks
  }
}

/**
 * The tasks of an environment by AgentGym's number, which its servers call `data_idx`, `session_id` or `game`: in the
 * order of their ids, with numbers inside an id compared as numbers, or in an order that the server has.
 */
export function indexTasks(
  environment: string,
  tasks: readonly EnvironmentTask[],
): readonly EnvironmentTask[] {
  const sorted = tasks.toSorted((one, other) => byNumbers.compare(one.id, other.id))
  const server = agentgymServers.find((each) => each.environment === environment)
  return server?.order?.(sorted) ?? sorted
}
