import { seededRandom } from '../../core/random/seeded-random.ts'
import type { EnvironmentTask } from '../environment.ts'
import type { Goal } from './goal.ts'

export const webshopMaxSteps = 10

export type SplitRule = (goal: Goal, number: number) => 'test' | 'dev' | 'train'

/** The splits of the WebShop paper, by the numbers of human goals: 0–499 test, 500–1499 dev, from 1500 train. */
export const splitByNumber: SplitRule = (_goal, number) => {
  if (number < 500) return 'test'
  return number < 1500 ? 'dev' : 'train'
}

/**
 * Splits for goals from patterns. One product may have many goals that differ only in an option, so a product's goals
 * are all in one split: about a fifth of the products in test, a tenth in dev, all others in train.
 */
export const splitByProduct: SplitRule = ({ asin }) => {
  const place = seededRandom('webshop split', asin)()
  if (place < 0.2) return 'test'
  return place < 0.3 ? 'dev' : 'train'
}

export function goalNumber(task: string): number | null {
  const digits = /^webshop-(0|[1-9]\d{0,9})$/.exec(task)?.[1]
  return digits === undefined ? null : Number(digits)
}

export function createWebshopTasks(goals: readonly Goal[], splitOf: SplitRule): EnvironmentTask[] {
  const tasks = goals.map(
    (goal, number): EnvironmentTask => ({
      id: `webshop-${number}`,
      split: splitOf(goal, number),
      type: `${goal.kind}-${goal.category}`,
      description: goal.instruction,
    }),
  )
  return ['test', 'dev', 'train'].flatMap((split) => tasks.filter((task) => task.split === split))
}
