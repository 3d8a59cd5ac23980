import type { RunRequest } from '../../contracts/run.ts'
import type { Objects } from '../../world/ports.ts'
import { chance } from '../identifiers.ts'
import { objectKeys } from '../keys.ts'
import { readObject } from '../read-object.ts'
import type { RunRow } from './run-row.ts'

/** What was asked for, with every default filled in. The list of tasks lies beside it. */
export interface RunDefinition {
  id: string
  revision: number
  request: RunRequest
}

/** Which task, and which playing of it, an episode is: all tasks once, then all tasks again. */
export interface EpisodePlace {
  index: number
  task: string
  epoch: number
}

/** Definitions of runs, read once per revision. */
export class RunDefinitions {
  readonly #objects: Objects
  readonly #tasks = new Map<string, Promise<string[]>>()
  readonly #definitions = new Map<string, Promise<RunDefinition>>()

  constructor(objects: Objects) {
    this.#objects = objects
  }

  /** Stores a new edition; it is valid once the run's item names it. @returns its name */
  async store(definition: RunDefinition): Promise<string> {
    const edition = `${definition.revision}-${chance()}`
    await this.#put(objectKeys.edition(definition.id, edition), definition)
    return edition
  }

  /** Shows the valid edition as `run.json`. */
  async publish(row: Pick<RunRow, 'id' | 'edition'>): Promise<void> {
    await this.#put(objectKeys.definition(row.id), await this.get(row))
  }

  async storeTasks(run: string, tasks: string[]): Promise<void> {
    await this.#put(objectKeys.tasks(run), tasks)
  }

  /** The valid edition. */
  get({ id, edition }: Pick<RunRow, 'id' | 'edition'>): Promise<RunDefinition> {
    return remember(this.#definitions, `${id}/${edition}`, async () => {
      return JSON.parse(await this.#text(objectKeys.edition(id, edition))) as RunDefinition
    })
  }

  tasks(run: string): Promise<string[]> {
    return remember(
      this.#tasks,
      run,
      async () => JSON.parse(await this.#text(objectKeys.tasks(run))) as string[],
    )
  }

  async place(run: string, index: number): Promise<EpisodePlace> {
    const tasks = await this.tasks(run)
    return { index, task: tasks[index % tasks.length] as string, epoch: Math.floor(index / tasks.length) }
  }

  /** The positions of a generation's work from `start` up to but without `end`. */
  async work(run: string, generation: number, start: number, end: number): Promise<number[]> {
    const listed = JSON.parse(await this.#text(objectKeys.work(run, generation))) as number[]
    return listed.slice(start, end)
  }

  async storeWork(run: string, generation: number, indices: number[]): Promise<void> {
    await this.#put(objectKeys.work(run, generation), indices)
  }

  async #put(key: string, value: unknown): Promise<void> {
    await this.#objects.put(key, Buffer.from(JSON.stringify(value)), { content_type: 'application/json' })
  }

  async #text(key: string): Promise<string> {
    return Buffer.from(await readObject(this.#objects, key)).toString('utf8')
  }
}

function remember<Value>(
  cache: Map<string, Promise<Value>>,
  key: string,
  read: () => Promise<Value>,
): Promise<Value> {
  let value = cache.get(key)
  if (!value) {
    value = read()
    value.catch(() => cache.delete(key))
    cache.set(key, value)
    const oldest = cache.keys().next().value
    if (cache.size > 256 && oldest !== undefined) cache.delete(oldest)
  }
  return value
}
