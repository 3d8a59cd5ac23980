import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import type { FacadeSessions, FacadeStanding } from '../facade-sessions.ts'
import { Turns } from '../turns.ts'
import { AgentgymError } from './agentgym-error.ts'
import { type BookedSession, SessionBook } from './session-book.ts'
import { indexTasks } from './task-index.ts'

/** AgentGym has no seeds. */
const seed = 0

/** A session after a step, and where it stood before. */
export interface TakenStep extends BookedSession {
  before: FacadeStanding
}

/** The games of one facade: what all of AgentGym's servers do, whatever their routes look like. */
export class AgentgymGames {
  readonly #environment: string
  readonly #sessions: FacadeSessions
  readonly book: SessionBook
  #tasks: readonly EnvironmentTask[] | null = null

  constructor(environment: string, sessions: FacadeSessions) {
    this.#environment = environment
    this.#sessions = sessions
    this.book = new SessionBook(sessions.slots)
  }

  /** Opens a session under a number, at the start of a task. */
  async create(id: number, dataIndex: number): Promise<BookedSession> {
    const task = await this.taskAt(dataIndex)
    const { session, standing } = await this.#sessions.open({
      environment: this.#environment,
      task: task.id,
      seed,
    })
    const booked = { session, turns: new Turns(), task, opening: standing, standing }
    this.book.put(id, booked)
    return booked
  }

  /** Puts a task's start in place of whatever the session did. */
  async reset(id: number, dataIndex: number): Promise<BookedSession> {
    return this.#use(id, async (booked) => {
      const task = await this.taskAt(dataIndex)
      const standing = await booked.session.restart(task.id, seed)
      Object.assign(booked, { task, opening: standing, standing })
      return { ...booked }
    })
  }

  /**
   * Takes a step.
   *
   * @param afterEnd what a step after the end gets: an error, or the last answer again. AgentGym's TextCraft and WebShop
   *   go on there, which a session of this host does not.
   */
  async step(id: number, action: string, afterEnd: 'error' | 'repeat'): Promise<TakenStep> {
    return this.#use(id, async (booked) => {
      const before = booked.standing
      if (!before.done) booked.standing = await booked.session.step(action)
      else if (afterEnd === 'error') throw AgentgymError.finished(id)
      return { ...booked, before }
    })
  }

  #use<Result>(id: number, work: (booked: BookedSession) => Promise<Result>): Promise<Result> {
    return this.book.use(id, (booked) => booked.turns.take(() => work(booked)))
  }

  /** How many tasks there are. */
  async count(): Promise<number> {
    return (await this.#all()).length
  }

  /** @throws AgentgymError for a number that has no task */
  async taskAt(dataIndex: number): Promise<EnvironmentTask> {
    const tasks = await this.#all()
    const task = tasks[dataIndex]
    if (task) return task
    throw new AgentgymError(
      `There is no task ${dataIndex}: ${this.#environment} has the tasks 0 to ${tasks.length - 1}.`,
    )
  }

  async #all(): Promise<readonly EnvironmentTask[]> {
    this.#tasks ??= indexTasks(this.#environment, (await this.#sessions.describe(this.#environment)).tasks())
    return this.#tasks
  }
}
