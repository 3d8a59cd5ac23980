import { seededRandom } from '../../core/random/seeded-random.ts'
import { shuffled } from '../../core/random/shuffled.ts'
import type { EnvironmentTask } from '../environment.ts'
import { taskTypes } from './task-types.ts'
import variations from './variations.data.json' with { type: 'json' }

const shares = { train: 0.7, dev: 0.1 }

export const variationCounts: Readonly<Record<string, number>> = variations

/**
 * All variations of all types, in splits that share none. The split of each is drawn at random among all variations
 * of a type. The simulator's own splits are contiguous ranges, so they differ in kind.
 */
export function createScienceworldTasks(): EnvironmentTask[] {
  const tasks = Object.entries(taskTypes).flatMap(([type, { description, max_steps }]) => {
    const count = variationCounts[type] ?? 0
    const order = shuffled([...Array(count).keys()], seededRandom('scienceworld', type))
    const [train, dev] = [Math.floor(count * shares.train), Math.ceil(count * shares.dev)]
    const splits = {
      train: order.slice(0, train),
      dev: order.slice(train, train + dev),
      test: order.slice(train + dev),
    }
    return Object.entries(splits).flatMap(([split, chosen]) =>
      chosen
        .sort((one, other) => one - other)
        .map((variation) => ({ id: `${type}/${variation}`, split, type, description, max_steps })),
    )
  })
  return ['train', 'dev', 'test'].flatMap((split) => tasks.filter((task) => task.split === split))
}
