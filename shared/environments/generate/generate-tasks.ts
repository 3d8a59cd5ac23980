import { setImmediate } from 'node:timers/promises'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { GeneratedSplit } from '../../core/contracts/task-generation.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import type { EnvironmentTask } from '../environment.ts'
import { permutation } from './number-space.ts'
import { makeTask, splitOfGenerated, type TaskGenerator, type TaskShape } from './task-generator.ts'

export interface GenerationPlan {
  readonly count: number
  readonly seed: number
  readonly split: GeneratedSplit
  readonly bounds: JsonObject
}

const triedAtOnce = 256

/**
 * Consecutive numbers of a shape without a task of the split, after which it counts as exhausted. Smaller shapes are
 * searched completely, so their counts are exact.
 */
const mostFruitless = 100_000

/**
 * The first tasks of a generator in one split, in the order of the seed: the same in every process. A smaller count
 * is a prefix of a larger one.
 * @throws EspalierError `invalid_request` if there are too few tasks, with their number
 */
export async function generateTasks(
  generator: TaskGenerator,
  { count, seed, split, bounds }: GenerationPlan,
): Promise<EnvironmentTask[]> {
  const shapes = generator.shapes(bounds, seed).filter((shape) => (shape.split ?? split) === split)
  const tasks: EnvironmentTask[] = []
  const keys = new Set<string>()
  let tried = 0
  const isFresh = (key: string | undefined) => {
    if (key === undefined) return true
    if (keys.has(key)) return false
    keys.add(key)
    return true
  }
  const next = async (drawn: Drawn): Promise<EnvironmentTask | null> => {
    const { shape, numberAt } = drawn
    for (let fruitless = 0; drawn.position < shape.size && fruitless < mostFruitless; fruitless += 1) {
      tried += 1
      if (tried % triedAtOnce === 0) await setImmediate()
      const number = numberAt(drawn.position)
      drawn.position += 1n
      if (splitOfGenerated(generator, shape, number) !== split) continue
      const made = makeTask(generator, shape, number)
      if (made !== null && isFresh(made.key)) return made.task
    }
    return null
  }
  let open = shuffled(shapes, seededRandom('shapes', generator.id, seed)).map((shape) => draw(shape, seed))
  while (open.length > 0 && tasks.length < count) {
    const left: Drawn[] = []
    for (const drawn of open) {
      if (tasks.length === count) break
      const task = await next(drawn)
      if (task === null) continue
      tasks.push(task)
      left.push(drawn)
    }
    open = left
  }
  if (tasks.length === count) return tasks
  throw tooFew(generator, { count, seed, split, bounds }, tasks.length)
}

interface Drawn {
  readonly shape: TaskShape
  numberAt(position: bigint): bigint
  position: bigint
}

function draw(shape: TaskShape, seed: number): Drawn {
  return { shape, numberAt: permutation(shape.size, `${shape.name} ${seed}`), position: 0n }
}

function tooFew(
  { id }: TaskGenerator,
  { bounds, count, split }: GenerationPlan,
  found: number,
): EspalierError {
  const set = Object.entries(bounds).map(([name, value]) => `${name} ${JSON.stringify(value)}`)
  const ask = found === 0 ? 'Widen the bounds' : `Ask for ${found} at most, or widen the bounds`
  return new EspalierError(
    'invalid_request',
    `${id} makes ${found} different tasks of the split "${split}" within its bounds, not ${count}. ${ask}: they are ${set.join(', ')}.`,
    { param: 'tasks.generate.count' },
  )
}
