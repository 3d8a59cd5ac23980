import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import type { EnvironmentTask } from '../../../shared/environments/environment.ts'
import { tasksById } from '../../../shared/environments/generate/find-task.ts'
import { gripper } from '../../../shared/environments/pddl/domains/make-gripper.ts'
import { makeTasks } from '../../../shared/environments/pddl/made-tasks.ts'
import { resolveTasks, settleSelection } from '../../../shared/environments/select-tasks.ts'
import { contentOf, generated, openAnew } from './play-generated.ts'

/** A generator of each environment, with bounds that leave few tasks where it can. */
const generators: [environment: string, generator: string, bounds: JsonObject][] = [
  ['pddl', 'gripper', { max_balls: 2, min_rooms: 4 }],
  ['pddl', 'blockworld', { max_blocks: 5 }],
  ['pddl', 'tyreworld', {}],
  ['pddl', 'barman', { max_drinks: 1, max_ingredients: 3, max_cocktails: 3 }],
  ['textcraft', 'crafting', { max_depth: 2 }],
  ['alfworld', 'household', { types: ['pick_and_place_simple', 'look_at_obj_in_light'] }],
  ['webshop', 'catalogue', { products: 400 }],
]

describe.each(generators)('%s: %s', (id, generator, bounds) => {
  const splits = ['train', 'dev', 'test'] as const

  test('makes the same tasks in every process, and fewer are the first of more', async () => {
    const ask = { generator, count: 40, seed: 3, split: 'train' as const, ...bounds }
    const tasks = await generated(await openAnew(id), ask)
    expect(tasks).toHaveLength(40)
    expect(await generated(await openAnew(id), ask)).toEqual(tasks)
    expect(await generated(await openAnew(id), { ...ask, count: 7 })).toEqual(tasks.slice(0, 7))
    if (generator === 'catalogue') return
    expect(await generated(await openAnew(id), { ...ask, seed: 4 })).not.toEqual(tasks)
  })

  test('repeats no task in a split, and has none in two splits, whatever the seeds and counts', async () => {
    const environment = await openAnew(id)
    const splitOf = new Map<string, string>()
    for (const split of splits) {
      for (const seed of [0, 1]) {
        const count = split === 'train' ? 30 : 12
        const tasks = await generated(environment, { generator, count, seed, split, ...bounds })
        const contents = await Promise.all(tasks.map((task) => contentOf(environment, task)))
        expect(new Set(contents).size).toBe(count)
        for (const content of contents) {
          expect([split, undefined]).toContain(splitOf.get(content))
          splitOf.set(content, split)
        }
        expect(new Set(tasks.map((task) => task.split))).toEqual(new Set([split]))
      }
    }
    const held = environment.tasks().filter(({ split }) => split === 'test')
    for (const task of held.slice(0, 30)) {
      expect(['test', undefined]).toContain(splitOf.get(await contentOf(environment, task)))
    }
  })

  test('makes a task again from its id alone', async () => {
    const tasks = await generated(await openAnew(id), {
      generator,
      count: 12,
      seed: 9,
      split: 'test',
      ...bounds,
    })
    const another = await openAnew(id)
    for (const task of tasks) {
      expect(tasksById(another).get(task.id)).toEqual(task)
      expect((await another.open(task.id)).reset(task.id, 0).observation).not.toBe('')
    }
    const [first] = tasks
    const known = tasksById(another)
    for (const wrong of [
      `${first?.id}0000000000000000000000000000000000000000000`,
      first?.id.replace(/@\d/, '@9'),
      first?.id.replace('/', '/other-'),
      `${first?.id}x`,
    ]) {
      expect(known.get(wrong ?? '')).toBeUndefined()
    }
  })
})

describe('a space that is too small', () => {
  const tiny = { generator: 'gripper', max_balls: 1, min_rooms: 2, max_rooms: 2 }

  test('is gone through to its end, and says at once how many tasks there are', async () => {
    const environment = await openAnew('pddl')
    const found = await Promise.all(
      (['train', 'dev', 'test'] as const).map(async (split) => {
        const refusal = await generated(environment, { ...tiny, count: 2000, split }).catch(String)
        const [, count] =
          /^EspalierError: gripper makes (\d+) different tasks of the split /.exec(`${refusal}`) ?? []
        return Number(count)
      }),
    )
    // Two rooms to start in, two for the ball.
    expect(found.reduce((sum, count) => sum + count, 0)).toBe(4)
    const [most = 0] = found
    expect(await generated(environment, { ...tiny, count: most })).toHaveLength(most)
    await expect(generated(environment, { ...tiny, count: most + 1 })).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'tasks.generate.count',
      message: expect.stringContaining('or widen the bounds: they are min_balls 1, max_balls 1, '),
    })
  })

  test('leaves the process free to do other things meanwhile', async () => {
    const environment = await openAnew('pddl')
    let isOver = false
    let turns = 0
    const count = () => {
      turns += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    await generated(environment, { generator: 'gripper', count: 3000 })
    isOver = true
    expect(turns).toBeGreaterThan(10)
  })
})

describe('a domain of PDDL that repeats itself', () => {
  test('is refused with how many goals it makes, where it would have been tried for ever', () => {
    const once = { ...gripper, generate: () => ({ problem: gripper.example.problem, minSteps: 1 }) }
    expect(() => makeTasks(once, 30)).toThrow(/^gripper makes 0 tasks with different goals, and not the 60/)
  })
})

describe('a request for generated tasks', () => {
  const refusals: [string, string, JsonObject, string, RegExp][] = [
    ['no generator where there are several', 'pddl', {}, 'tasks.generate.generator', /gripper, blockworld, /],
    ['an unknown generator', 'pddl', { generator: 'sokoban' }, 'tasks.generate.generator', /"sokoban"/],
    [
      'a version that is not there',
      'pddl',
      { generator: 'gripper', version: 7 },
      'tasks.generate.version',
      /no version 7.*: 2, 1\./,
    ],
    [
      'an unknown bound',
      'pddl',
      { generator: 'gripper', max_ball: 2 },
      'tasks.generate.max_ball',
      /max_balls/,
    ],
    ['a bound out of range', 'webshop', { products: 3 }, 'tasks.generate.products', /at least 40/],
    [
      'a least above its most',
      'pddl',
      { generator: 'gripper', min_balls: 5 },
      'tasks.generate.min_balls',
      /must be at most max_balls/,
    ],
  ]
  test.each(refusals)('with %s is refused', async (_what, id, ask, param, says) => {
    const environment = await openAnew(id)
    await expect(generated(environment, { count: 5, ...ask } as never)).rejects.toMatchObject({
      param,
      message: expect.stringMatching(says),
    })
  })

  test('is refused beside a split or ids, and where nothing generates tasks', async () => {
    const environment = await openAnew('webshop')
    const generate = { count: 5, seed: 0, split: 'train' as const }
    for (const other of [{ split: 'test' }, { ids: ['webshop-1'] }]) {
      expect(() => settleSelection(environment, { generate, ...other })).toThrow(/has to be left out/)
    }
    const none = { id: 'scienceworld', tasks: () => [] }
    expect(() => settleSelection(none, { generate })).toThrow(/^Nothing generates tasks of scienceworld/)
  })

  test('is recorded with its generator, version and every bound, and means the same when it is asked again', async () => {
    const environment = await openAnew('webshop')
    const settled = settleSelection(environment, { generate: { count: 5, seed: 0, split: 'dev' }, limit: 3 })
    expect(settled).toEqual({
      generate: { generator: 'catalogue', version: 1, count: 5, seed: 0, split: 'dev', products: 1000 },
      limit: 3,
    })
    expect(settleSelection(environment, settled)).toEqual(settled)
    const tasks = await resolveTasks(environment, settled)
    expect(tasks).toHaveLength(3)
    const named = await resolveTasks(environment, { ids: tasks.map(({ id }) => id), split: 'dev' })
    expect(named).toEqual(tasks)
  })
})

/** What generated tasks are, for ever: a generator that makes something else needs another version. */
const pinned: [environment: string, id: string, digest: string][] = [
  ['pddl', 'gripper@1/rooms-4-balls-2-resting-0/417', '9791ab48eb1e654d'],
  ['pddl', 'gripper@1/rooms-3-balls-4-resting-2/70000', '34eff36a8fed750f'],
  ['pddl', 'blockworld@1/blocks-6/123456', 'da63e176b9e71847'],
  ['pddl', 'tyreworld@1/wheels-2/11', '52e718d159b708d6'],
  ['pddl', 'barman@1/drinks-2-ingredients-4-cocktails-3/99999', 'bdd3c0b616ec6eac'],
  ['pddl', 'gripper@2/rooms-4-balls-2-resting-0/417', '9791ab48eb1e654d'],
  ['pddl', 'barman@2/drinks-2-ingredients-4-cocktails-3/99999', 'bdd3c0b616ec6eac'],
  ['textcraft', 'crafting@1/campfire-10/1234', '76120eaf7811f964'],
  ['alfworld', 'household@1/pick_and_place_simple-Mug-Shelf-bedroom-12/57', '072c32cb70ce6734'],
  ['webshop', 'catalogue@1/products-400-seed-7/33', 'ac7d1cb12a6679c2'],
]

test('a run that recorded version 1 plays the tasks that it played', async () => {
  const environment = await openAnew('pddl')
  const tasks = await generated(environment, {
    generator: 'gripper',
    version: 1,
    count: 3,
    seed: 1,
    split: 'test',
    max_balls: 2,
  })
  expect(tasks.map(({ id }) => id)).toEqual([
    'gripper@1/rooms-4-balls-1-resting-0/42',
    'gripper@1/rooms-3-balls-2-resting-0/100',
    'gripper@1/rooms-2-balls-1-resting-0/2',
  ])
})

test.each(pinned)('%s: %s is the same task for ever', async (id, task, digest) => {
  const environment = await openAnew(id)
  expect((await contentOf(environment, { id: task } as EnvironmentTask)).slice(0, 16)).toBe(digest)
})
