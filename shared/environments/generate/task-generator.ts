import type { z } from 'zod'
import type { JsonObject } from '../../contracts/json.ts'
import type { GeneratedSplit } from '../../contracts/task-generation.ts'
import { seededRandom } from '../../random/seeded-random.ts'
import type { EnvironmentTask } from '../environment.ts'

/** What is known of a generator without loading it. */
export interface GeneratorDefinition {
  readonly id: string
  /**
   * Part of every task's id. It rises when a number of a shape would become another task, and the old version stays as long as
   * runs of it are to be replayed.
   */
  readonly version: number
  readonly description: string
  /** A strict schema of what tasks may be like, in which every bound has a default. */
  readonly bounds: z.ZodType<JsonObject>
}

/** A task as its generator makes it, without its id and split. */
export interface MadeContent<Content = unknown> {
  /** What the environment plays. */
  readonly content: Content
  readonly type: string
  readonly description: string
  readonly min_steps?: number
  /** What of the task has to be unique, where two numbers may make the same task. @default the number */
  readonly key?: string
}

/**
 * Tasks of exactly one size, by number: a number below `size` is one task for ever, or none. So whether two requests drew the
 * same task is a matter of ids, whatever their seeds and bounds were.
 */
export interface TaskShape<Content = unknown> {
  /** Part of the ids of its tasks: letters, digits, `_` and `-`. */
  readonly name: string
  readonly size: bigint
  /** The split of all its tasks, where the shape decides it. @default the split key decides */
  readonly split?: GeneratedSplit
  /** What decides the split of a task. @default the names of generator and shape, and the number */
  splitKey?(number: bigint): string
  /** Null for a number that is no task, such as one whose goal holds at the start. */
  make(number: bigint): MadeContent<Content> | null
}

/** Makes tasks of an environment, any of them from its id alone. */
export interface TaskGenerator<Content = unknown> extends GeneratorDefinition {
  /**
   * All shapes within the bounds. They take turns, so that the first tasks, however many, are a fair mix.
   *
   * @param seed of the request, for shapes that are drawn themselves, such as a catalogue
   */
  shapes(bounds: JsonObject, seed: number): readonly TaskShape<Content>[]
  /** The shape of that name, whatever bounds it is within; null where there is none. */
  shapeOf(name: string): TaskShape<Content> | null
}

/** Shares of the splits among contents. */
const testShare = 0.2
const devShare = 0.1

/**
 * The split of a generated task. Its content decides it, and neither seed nor bounds nor count: what is in one split of any
 * request is in no other split of any other.
 */
export function splitOfGenerated(
  generator: GeneratorDefinition,
  shape: TaskShape,
  number: bigint,
): GeneratedSplit {
  if (shape.split !== undefined) return shape.split
  const key = shape.splitKey?.(number) ?? `${shape.name}/${number}`
  const place = seededRandom('split of a generated task', generator.id, key)()
  if (place < testShare) return 'test'
  return place < testShare + devShare ? 'dev' : 'train'
}

/** `gripper@1/rooms-4-balls-2-resting-0/417`: generator, version, shape and number, which is all that it takes to make it. */
export function generatedId({ id, version }: GeneratorDefinition, shape: TaskShape, number: bigint): string {
  return `${id}@${version}/${shape.name}/${number}`
}

const idForm = /^([a-z][a-z-]*)@([1-9]\d{0,8})\/([\w-]{1,200})\/(0|[1-9]\d{0,79})$/

/** A task that was made from its id. */
export interface GeneratedTask<Content = unknown> {
  readonly task: EnvironmentTask
  readonly content: Content
}

/** The task of an id, made anew; null where none of the generators makes it. */
export function findGenerated<Content>(
  generators: readonly TaskGenerator<Content>[],
  id: string,
): GeneratedTask<Content> | null {
  const [, name, version, shapeName = '', digits = ''] = idForm.exec(id) ?? []
  const generator = generators.find((each) => each.id === name && String(each.version) === version)
  const shape = generator?.shapeOf(shapeName) ?? null
  if (generator === undefined || shape === null || shape.name !== shapeName) return null
  const number = BigInt(digits)
  return number < shape.size ? makeTask(generator, shape, number) : null
}

/** The task of a number; null where the number is none. */
export function makeTask<Content>(
  generator: GeneratorDefinition,
  shape: TaskShape<Content>,
  number: bigint,
): (GeneratedTask<Content> & { key: string | undefined }) | null {
  const made = shape.make(number)
  if (made === null) return null
  const { content, key, ...facts } = made
  const split = splitOfGenerated(generator, shape, number)
  return { task: { id: generatedId(generator, shape, number), split, ...facts }, content, key }
}
