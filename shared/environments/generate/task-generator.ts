import type { z } from 'zod'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { GeneratedSplit } from '../../core/contracts/task-generation.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import type { EnvironmentTask } from '../environment.ts'

export interface GeneratorDefinition {
  readonly id: string
  /**
   * Part of every task's id. Increase it when a number of a shape would become another task. Keep the old version as
   * long as runs of it may be replayed.
   */
  readonly version: number
  readonly description: string
  readonly bounds: z.ZodType<JsonObject>
}

export interface MadeContent<Content = unknown> {
  readonly content: Content
  readonly type: string
  readonly description: string
  readonly min_steps?: number
  readonly key?: string
}

/**
 * Tasks of exactly one size, by number. A number below `size` always means the same task, or none. Two requests with
 * different seeds and bounds therefore share a task exactly if they share its id.
 */
export interface TaskShape<Content = unknown> {
  readonly name: string
  readonly size: bigint
  readonly split?: GeneratedSplit
  /** The key that decides the split of a task. @default the names of generator and shape, and the number */
  splitKey?(number: bigint): string
  /** Null for a number without a task, such as one whose goal holds at the start. */
  make(number: bigint): MadeContent<Content> | null
}

export interface TaskGenerator<Content = unknown> extends GeneratorDefinition {
  /**
   * All shapes within the bounds. They take turns, so any prefix of the tasks is a fair mix.
   * @param seed of the request, for shapes drawn at random, such as a catalogue
   */
  shapes(bounds: JsonObject, seed: number): readonly TaskShape<Content>[]
  shapeOf(name: string): TaskShape<Content> | null
}

const testShare = 0.2
const devShare = 0.1

/**
 * The split of a generated task. It depends on the content alone, not on seed, bounds or count. Content in one split
 * of any request is in no other split of any other.
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

/**
 * `gripper@2/rooms-4-balls-2-resting-0/417`: generator, version, shape and number. The id is enough to generate the
 * task.
 */
export function generatedId({ id, version }: GeneratorDefinition, shape: TaskShape, number: bigint): string {
  return `${id}@${version}/${shape.name}/${number}`
}

const idForm = /^([a-z][a-z-]*)@([1-9]\d{0,8})\/([\w-]{1,200})\/(0|[1-9]\d{0,79})$/

export interface GeneratedTask<Content = unknown> {
  readonly task: EnvironmentTask
  readonly content: Content
}

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
