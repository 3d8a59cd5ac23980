import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createPlanner } from '../../../shared/environments/textcraft/plan-goal.ts'
import { recipeLine } from '../../../shared/environments/textcraft/recipe.ts'
import { createRecipeBook } from '../../../shared/environments/textcraft/recipe-book.ts'
import recipes from '../../../shared/environments/textcraft/recipes.data.json' with { type: 'json' }
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'

const book = createRecipeBook(recipes)
const tasks = textcraft.tasks()
const inSplit = (split: string) => tasks.filter((task) => task.split === split)
const countTypes = (list: typeof tasks) => {
  const counts: Record<string, number> = {}
  for (const { type } of list) counts[type] = (counts[type] ?? 0) + 1
  return counts
}
const reset = (task: string, seed = 0) => textcraft.reset(task, seed)

describe('the task set', () => {
  test('has every craftable item once, with ids by depth, then name', () => {
    const goals = tasks.map(({ id }) => reset(id).state.goal)
    expect(new Set(goals).size).toBe(tasks.length)
    expect(new Set(goals)).toEqual(new Set(book.craftable))
    const byId = tasks
      .map(({ id, type, description }) => ({ id, name: `${type} ${description}` }))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
    expect(byId[0]?.id).toBe('textcraft-0000')
    expect(byId.at(-1)?.id).toBe(`textcraft-${String(tasks.length - 1).padStart(4, '0')}`)
    expect(byId.map(({ name }) => name.slice(0, 7))).toEqual(byId.map(({ name }) => name.slice(0, 7)).sort())
  })

  test('never changes: results refer to it', () => {
    expect(countTypes(inSplit('test'))).toEqual({ 'depth-1': 25, 'depth-2': 59, 'depth-3': 22, 'depth-4': 1 })
    expect(countTypes(inSplit('train'))).toEqual({
      'depth-1': 101,
      'depth-2': 235,
      'depth-3': 86,
      'depth-4': 5,
    })
    expect(countTypes(inSplit('long'))).toEqual({ 'depth-3': 8, 'depth-4': 5 })
    expect(inSplit('test').slice(0, 4)).toEqual([
      {
        id: 'textcraft-0092',
        split: 'test',
        type: 'depth-1',
        description: 'Craft sea lantern.',
        goal: 'minecraft:sea_lantern',
      },
      {
        id: 'textcraft-0368',
        split: 'test',
        type: 'depth-2',
        description: 'Craft smithing table.',
        goal: 'minecraft:smithing_table',
      },
      {
        id: 'textcraft-0505',
        split: 'test',
        type: 'depth-3',
        description: 'Craft pink carpet.',
        goal: 'minecraft:pink_carpet',
      },
      {
        id: 'textcraft-0542',
        split: 'test',
        type: 'depth-4',
        description: 'Craft polished andesite slab.',
        goal: 'minecraft:polished_andesite_slab',
      },
    ])
  })

  test('starts each split with a fair mix of depths', () => {
    for (const split of ['test', 'train']) {
      const first = countTypes(inSplit(split).slice(0, 20))
      expect(Object.keys(first).sort()).toEqual(['depth-1', 'depth-2', 'depth-3', 'depth-4'])
      expect(first['depth-2']).toBeGreaterThanOrEqual(8)
      expect(first['depth-2']).toBeLessThanOrEqual(12)
    }
  })

  test('has recipes that take any of a family, as the original has', () => {
    const lines = ['chest', 'painting', 'composter', 'smoker', 'furnace', 'acacia_planks'].flatMap((name) =>
      book.recipesOfItem(`minecraft:${name}`).map(recipeLine),
    )
    expect(lines).toEqual([
      'craft 1 chest using 8 planks',
      'craft 1 painting using 8 stick, 1 wool',
      'craft 1 composter using 7 wooden slabs',
      'craft 1 smoker using 4 logs, 1 furnace',
      'craft 1 furnace using 8 stone crafting materials',
      'craft 4 acacia planks using 1 acacia logs',
    ])
  })
})

describe('every task', () => {
  const plan = createPlanner(book)

  test.each(['test', 'train', 'long'])(
    'of the split %s is solved by its plan, and only at its last step',
    (split) => {
      for (const { id } of inSplit(split)) {
        let { state } = reset(id)
        const actions = plan(state.goal) ?? []
        const rewards = actions.map((action) => {
          const result = textcraft.step(state, action)
          expect(result.observation).toMatch(/^(Got|Crafted) /)
          state = result.state
          return result.reward
        })
        expect(rewards).toEqual([...actions.slice(1).map(() => 0), 1])
        expect(actions.length > textcraft.default_max_steps).toBe(split === 'long')
      }
    },
  )

  test('can be solved from what its reset shows', () => {
    for (const { id } of tasks) {
      const { state, observation } = reset(id)
      const shown = new Set(observation.split('\n').map((line) => line.replace(/ using .*/, '')))
      const crafts = (plan(state.goal) ?? []).filter((action) => action.startsWith('craft '))
      expect(crafts.filter((action) => !shown.has(action.replace(/ using .*/, '')))).toEqual([])
    }
  })
})

describe('reset', () => {
  test('shows recipes, at most ten of them not needed, and the goal', () => {
    const { state, observation } = reset('textcraft-0032')
    expect(state).toEqual({ goal: 'minecraft:diamond_chestplate', inventory: {} })
    const lines = observation.split('\n')
    expect(lines[0]).toBe('Crafting commands:')
    expect(lines.slice(-2)).toEqual(['', 'Goal: craft diamond chestplate.'])
    expect(lines).toContain('craft 1 diamond chestplate using 8 diamond')
    expect(lines).toHaveLength(14)
    expect(new Set(lines).size).toBe(lines.length)
  })

  test('shows the same text every time, and another order or choice for another seed', () => {
    const observations = [0, 0, 1, 2].map((seed) => reset('textcraft-0530', seed).observation)
    expect(observations[1]).toBe(observations[0])
    expect(new Set(observations).size).toBe(3)
  })

  test('shows in every process what it shows here', () => {
    const hash = createHash('sha256')
    for (const { id } of tasks) hash.update(id + reset(id).observation)
    expect(hash.digest('hex').slice(0, 16)).toBe('0be71816e8b2c4b5')
  })

  test('names an unknown task and how to list tasks', () => {
    expect(() => reset('textcraft-9999')).toThrow(
      expect.objectContaining({
        code: 'unknown_task',
        param: 'tasks.ids',
        message: expect.stringMatching(/"textcraft-9999".*List its tasks/),
      }),
    )
  })
})
