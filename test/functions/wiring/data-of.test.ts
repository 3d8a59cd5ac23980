import { expect, test } from 'vitest'
import {
  dataOf,
  taskFactsOf,
  taskSplitsOf,
  taskStatesOf,
} from '../../../functions/wiring/environment-facts.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { openEnvironments } from '../../../shared/environments/open-environments.ts'

const find = dataOf(openEnvironments(definitions, null))

test('data is named as runs name theirs: none where an environment has no packs, builtin where none was added', async () => {
  expect(await find('textcraft', undefined)).toBe(
    definitions.find(({ id }) => id === 'textcraft')?.pack === undefined ? null : 'builtin',
  )
  expect(await find('webshop', undefined)).toBe('builtin')
  expect(await find('webshop', 'builtin')).toBe('builtin')
})

test('tasks of a run that names no data are of what comes along, whatever packs were added since', async () => {
  const pack = { digest: 'a'.repeat(32), name: 'recipes', files: ['recipes.json'] }
  const recipes = [
    [
      'stick',
      {
        type: 'minecraft:crafting_shapeless',
        ingredients: [{ item: 'minecraft:bamboo' }],
        result: 'minecraft:stick',
      },
    ],
  ]
  const packs = {
    list: async (environment: string) => (environment === 'textcraft' ? [pack] : []),
    open: async () => ({ ...pack, read: async () => Buffer.from(JSON.stringify(recipes)) }),
  }
  const environments = openEnvironments(definitions, packs)
  expect((await environments.open('textcraft')).environment.tasks().map(({ id }) => id)).toEqual([
    'textcraft_0',
  ])
  expect((await taskSplitsOf(environments)('textcraft', null))?.get('textcraft-0042')).toBeDefined()
  expect((await taskFactsOf(environments)('textcraft', undefined))?.get('textcraft-0042')).toBeDefined()
  const made = 'gripper@1/rooms-4-balls-2-resting-0/417'
  const known = await taskSplitsOf(environments)('pddl', 'builtin')
  expect(known?.get(made)?.split).toBe('test')
  expect((await taskFactsOf(environments)('pddl', 'builtin'))?.get(made)).toMatchObject({ type: 'gripper' })
  const states = await taskStatesOf(environments)({
    environment: 'textcraft',
    task: 'textcraft-0042',
    seed: 0,
  } as never)
  expect('reset' in states && (await states.reset())).toMatchObject({ inventory: {} })
})

test('data that there is not is refused, and an unknown environment has what is given', async () => {
  await expect(find('webshop', 'mine')).rejects.toMatchObject({ code: 'invalid_request', param: 'data' })
  expect(await find('babyai', undefined)).toBeNull()
  expect(await find('babyai', 'v1')).toBe('v1')
})
