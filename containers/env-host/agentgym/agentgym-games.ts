import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import type { FacadeSessions } from '../facade-sessions.ts'
import { Turns } from '../turns.ts'
import { AgentgymError } from './agentgym-error.ts'
import { type BookedResult, type BookedSession, type CompleteResult, SessionBook } from './session-book.ts'

const byNumbers = new Intl.Collator('en', { numeric: true })

/** The task kinds of AgentGym's ScienceWorld, in its order. It omits long tasks of biology and mechanics. */
const scienceworldTypes = [
  'boil',
  'melt',
  'freeze',
  'change-the-state-of-matter-of',
  'use-thermometer',
  'measure-melting-point-known-substance',
  'measure-melting-point-unknown-substance',
  'power-component',
  'power-component-renewable-vs-nonrenewable-energy',
  'test-conductivity',
  'test-conductivity-of-unknown-substances',
  'find-living-thing',
  'find-non-living-thing',
  'find-plant',
  'find-animal',
  'chemistry-mix',
  'chemistry-mix-paint-secondary-color',
  'chemistry-mix-paint-tertiary-color',
  'lifespan-longest-lived',
  'lifespan-shortest-lived',
  'lifespan-longest-lived-then-shortest-lived',
  'identify-life-stages-1',
  'identify-life-stages-2',
]

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
   * @param afterEnd the answer to a step after the end: an error, or the last answer again. AgentGym's TextCraft and
   * WebShop continue there, which a session of this host does not.
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
 * The tasks of an environment by AgentGym's `data_idx` (WebShop: `session_id`, ALFWorld: `game`): in the order of
 * their ids, with numbers inside an id compared as numbers. TextCraft's goals are therefore sorted by depth, as on
 * AgentGym's server. Within a depth that server follows its disk's order, here it is the goal's name. WebShop uses
 * the goal's number, as there. ScienceWorld has AgentGym's own order, so that its numbers mean the same games.
 */
export function indexTasks(
  environment: string,
  tasks: readonly EnvironmentTask[],
): readonly EnvironmentTask[] {
  const sorted = tasks.toSorted((one, other) => byNumbers.compare(one.id, other.id))
  if (!environment.startsWith('scienceworld')) return sorted
  const byType = Map.groupBy(sorted, ({ type }) => type)
  return scienceworldTypes.flatMap((type) => byType.get(type) ?? [])
}
