import type { EpisodePurpose } from '../../contracts/episode.ts'
import type { Objects } from '../../world/ports.ts'
import { chance } from '../identifiers.ts'
import { objectKeys } from '../keys.ts'
import { readObject } from '../read-object.ts'
import { roundStart } from './rounds.ts'
import type { LearningPlan, RunSettings } from './run-planner.ts'
import type { RunRow } from './run-row.ts'

/** What was asked for, with every default filled in. The list of tasks lies beside it. */
export interface RunDefinition extends RunSettings {
  id: string
  revision: number
}

/**
 * Which task, and which playing of it, an episode is: the learning episodes first, then all tasks once, then all tasks
 * again.
 */
export interface EpisodePlace {
  index: number
  /** The task that is played; `learn:` and the group of a learning episode; `{source}/{episode}` where it asks about that. */
  task: string
  epoch: number
  purpose: EpisodePurpose
  /** Of a learning episode: the group of tasks it learns for; null otherwise. */
  group: string | null
  /** Of a learning episode: the tasks it learns from; empty otherwise. */
  training: string[]
  /** Where its round begins: all episodes before have ended when this one is queued, and what they left can be read. */
  roundStart: number
}

/** What comes before the tasks, and in which rounds they follow: `learning.json`, where there is any of it. */
export interface StoredLearning {
  episodes: LearningPlan[]
  round_size: number | null
}

/** Definitions that are kept in memory, of about 2 kB each: as many as a page of a list with filters looks at, and more. */
const keptDefinitions = 4096
/** Lists of tasks that are kept; each may have a hundred thousand. */
const keptLists = 256

const noLearning: StoredLearning = { episodes: [], round_size: null }

/** Definitions of runs, read once per revision. */
export class RunDefinitions {
  readonly #objects: Objects
  readonly #tasks = new Map<string, Promise<string[]>>()
  readonly #learning = new Map<string, Promise<StoredLearning>>()
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

  async storeLearning(run: string, learning: StoredLearning): Promise<void> {
    if (learning.episodes.length === 0 && learning.round_size === null) return
    await this.#put(objectKeys.learning(run), learning)
  }

  /** The valid edition. */
  get({ id, edition }: Pick<RunRow, 'id' | 'edition'>): Promise<RunDefinition> {
    const read = async () => JSON.parse(await this.#text(objectKeys.edition(id, edition))) as RunDefinition
    return remember(this.#definitions, `${id}/${edition}`, read, keptDefinitions)
  }

  tasks(run: string): Promise<string[]> {
    return remember(
      this.#tasks,
      run,
      async () => JSON.parse(await this.#text(objectKeys.tasks(run))) as string[],
    )
  }

  learning(run: string): Promise<StoredLearning> {
    return remember(this.#learning, run, async () => {
      const stored = await this.#objects.get(objectKeys.learning(run))
      return stored ? (JSON.parse(Buffer.from(stored.body).toString('utf8')) as StoredLearning) : noLearning
    })
  }

  async place(run: Pick<RunRow, 'id' | 'purpose'>, index: number): Promise<EpisodePlace> {
    return (await this.places(run))(index)
  }

  /** The places of all episodes of a run, by index. */
  async places({ id, purpose }: Pick<RunRow, 'id' | 'purpose'>): Promise<(index: number) => EpisodePlace> {
    const [{ episodes, round_size }, tasks] = await Promise.all([this.learning(id), this.tasks(id)])
    const plan = { learning: episodes.length, round_size }
    return (index) => {
      const begins = roundStart(index, plan)
      const lesson = episodes[index]
      if (lesson) {
        const { epoch = 0, group, tasks: training } = lesson
        return { index, task: `learn:${group}`, epoch, purpose: 'learn', group, training, roundStart: begins }
      }
      const at = index - episodes.length
      return {
        index,
        task: tasks[at % tasks.length] as string,
        epoch: Math.floor(at / tasks.length),
        purpose,
        group: null,
        training: [],
        roundStart: begins,
      }
    }
  }

  /** The indices that a generation plays, where it plays only some. */
  async work(run: string, generation: number): Promise<number[]> {
    return JSON.parse(await this.#text(objectKeys.work(run, generation))) as number[]
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
  kept = keptLists,
): Promise<Value> {
  let value = cache.get(key)
  if (!value) {
    value = read()
    value.catch(() => cache.delete(key))
    cache.set(key, value)
    const oldest = cache.keys().next().value
    if (cache.size > kept && oldest !== undefined) cache.delete(oldest)
  }
  return value
}
