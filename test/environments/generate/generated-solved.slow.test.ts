import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { generateShop } from '../../../shared/environments/webshop/generate-shop.ts'
import { generated, openAnew, playExpertly } from './play-generated.ts'

/** Whatever one does, tasks of these are longer than an episode at times; the expert is not the shortest player. */
const patience = 60

describe('the simulated expert', () => {
  const solved: [environment: string, generator: string, count: number, bounds: JsonObject][] = [
    ['pddl', 'gripper', 150, { max_balls: 6, max_rooms: 5, max_resting_balls: 1 }],
    ['pddl', 'blockworld', 150, { max_blocks: 8 }],
    ['pddl', 'tyreworld', 150, { max_wheels: 3 }],
    ['pddl', 'barman', 150, { max_drinks: 3, min_ingredients: 2 }],
    ['textcraft', 'crafting', 250, {}],
    ['alfworld', 'household', 60, { things: 6 }],
  ]
  test.each(solved)(
    'solves every generated task of %s (%s), and none below its bound',
    async (id, generator, count, bounds) => {
      const environment = await openAnew(id)
      for (const split of ['train', 'test'] as const) {
        for (const task of await generated(environment, { generator, count, split, seed: 5, ...bounds })) {
          const steps = await playExpertly(environment, task, patience)
          expect([task.id, steps !== null && steps >= (task.min_steps ?? 1)]).toEqual([task.id, true])
        }
      }
    },
  )
})

test('every generated goal of a shop is reached in full by the product that it was made of', async () => {
  const environment = await openAnew('webshop')
  const tasks = await generated(environment, { generator: 'catalogue', count: 100, seed: 2, products: 200 })
  const taken = new Set(environment.tasks().map(({ description }) => description))
  const { goals } = generateShop({ products: 200, seed: 2, taken })
  for (const { description, id } of tasks) {
    const goal = goals.find(({ instruction }) => instruction === description)
    const core = await environment.open(id)
    let state: JsonObject = { ...core.reset(id, 0).state, page: 'item', asin: goal?.asin ?? '' }
    for (const [, value] of goal?.options ?? []) state = core.step(state, `click[${value}]`).state
    expect([id, core.step(state, 'click[buy now]').reward]).toEqual([id, 1])
  }
})
