import type { EpisodePurpose } from '../../contracts/episode.ts'
import type { Objects } from '../../world/ports.ts'
import { randomSuffix } from '../identifiers.ts'
import { objectKeys } from '../keys.ts'
import { readObject } from '../read-object.ts'
import type { LearningPlan, RunSettings } from './run-planner.ts'
import type { RunRow } from './run-row.ts'

export interface RunDefinition extends RunSettings {
  id: string
  revision: number
}

export interface EpisodePlace {
  index: number
  /** The task to play; `learn:` and the group for a learning episode; `{source}/{episode}` if it asks about that. */
  task: string
  epoch: number
  purpose: EpisodePurpose
  group: string | null
  training: string[]
  /**
   * The first index of its round: all earlier episodes have ended when this one is queued, and their output is
   * readable.
   */
  roundStart: number
}

export interface StoredLearning {
  episodes: LearningPlan[]
  round_size: number | null
  /** Episodes of one task that follow each other; absent: each epoch plays all tasks. */
  group_size?: number
}

// Definitions cached in memory, of about 2 kB each: at least as many as a filtered page reads.
const keptDefinitions = 4096
const keptLists = 256

const noLearning: StoredLearning = { episodes: [], round_size: null }

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
    const edition = `${definition.revision}-${randomSuffix()}`
    await this.#put(objectKeys.edition(definition.id, edition), definition)
    return edition
  }

  async publish(row: Pick<RunRow, 'id' | 'edition'>): Promise<void> {
    await this.#put(objectKeys.definition(row.id), await this.get(row))
  }

  async storeTasks(run: string, tasks: string[]): Promise<void> {
    await this.#put(objectKeys.tasks(run), tasks)
  }

  async storeLearning(run: string, learning: StoredLearning): Promise<void> {
    const { episodes, group_size, round_size } = learning
    if (episodes.length === 0 && round_size === null && group_size === undefined) return
    await this.#put(objectKeys.learning(run), learning)
  }

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

  async places({ id, purpose }: Pick<RunRow, 'id' | 'purpose'>): Promise<(index: number) => EpisodePlace> {
    const [{ episodes, group_size, round_size }, tasks] = await Promise.all([
      this.learning(id),
      this.tasks(id),
    ])
    const plan = { learning: episodes.length, round_size }
    return (index) => {
      const begins = roundStart(index, plan)
      const lesson = episodes[index]
      if (lesson) {
        const { epoch = 0, group, tasks: training } = lesson
        return { index, task: `learn:${group}`, epoch, purpose: 'learn', group, training, roundStart: begins }
      }
      const at = index - episodes.length
      const [nth, epoch] =
        group_size === undefined
          ? [at % tasks.length, Math.floor(at / tasks.length)]
          : [Math.floor(at / group_size), at % group_size]
      return {
        index,
        task: tasks[nth] as string,
        epoch,
        purpose,
        group: null,
        training: [],
        roundStart: begins,
      }
    }
  }

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

interface RoundPlan {
  learning: number
  round_size: number | null
}

export function roundStart(index: number, { learning, round_size }: RoundPlan): number {
  if (index < learning) return 0
  return round_size === null ? learning : index - ((index - learning) % round_size)
}

export function roundEnd(index: number, { learning, round_size }: RoundPlan): number {
  if (index < learning) return learning
  return round_size === null
    ? Number.POSITIVE_INFINITY
    : roundStart(index, { learning, round_size }) + round_size
}
