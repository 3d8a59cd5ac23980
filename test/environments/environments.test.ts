import { describe, expect, test } from 'vitest'
import { describeEnvironment } from '../../functions/api/open-catalogue.ts'
import { environmentInfoSchema } from '../../shared/core/contracts/catalogue.ts'
import { isPure } from '../../shared/environments/environment.ts'
import { definitions } from '../../shared/environments/environments.ts'
import { openEnvironments } from '../../shared/environments/open-environments.ts'
import { selectTasks } from '../../shared/environments/select-tasks.ts'

const environments = openEnvironments(definitions, null)

/** Environments that have no tasks before a pack was added. */
const empty = ['osworld']
const ids = definitions.map(({ id }) => id)

test.each(empty)('the environment %s is there without its data, and says how to add it', async (id) => {
  const { environment } = await environments.open(id)
  expect(environment.tasks()).toEqual([])
  expect(environment.description).toContain(`espalier data add ${id} FOLDER`)
  expect(() => selectTasks(environment, { split: 'test' })).toThrow(
    expect.objectContaining({ code: 'unknown_task', message: `${id} has no tasks here.` }),
  )
})

test('each says where its agents act, and which tools it declares', async () => {
  const kinds: Record<string, string> = {
    miniwob: 'pages',
    sites: 'pages',
    desktop: 'computer',
    osworld: 'computer',
  }
  for (const id of ids) {
    const info = describeEnvironment(await environments.open(id))
    expect(info.kind, id).toBe(kinds[id] ?? 'text')
  }
  const tools = async (id: string) => describeEnvironment(await environments.open(id)).tools
  expect(await tools('textcraft')).toEqual(['get', 'craft', 'inventory'])
  expect(await tools('osworld')).toEqual([])
})

describe.each(ids.filter((each) => !empty.includes(each)))('the environment %s', (id) => {
  test('is found by its own id and describes itself', async () => {
    const opened = await environments.open(id)
    expect(opened.environment.id).toBe(id)
    const info = describeEnvironment(opened)
    expect(environmentInfoSchema.parse(info)).toEqual(info)
    const total = Object.values(info.splits).reduce((sum, count) => sum + count, 0)
    expect(total).toBe(opened.environment.tasks().length)
    expect(Object.keys(info.splits)).toEqual(expect.arrayContaining(['train', 'test']))
  })

  test('has tasks with ids of their own, split by split', async () => {
    const tasks = (await environments.open(id)).environment.tasks()
    expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length)
    const turns = tasks.filter((task, index) => task.split !== tasks[index - 1]?.split).length
    expect(turns).toBe(new Set(tasks.map(({ split }) => split)).size)
  })

  test('gives an agent its rules, by an example that it does not play itself', async () => {
    const { environment } = await environments.open(id)
    for (const task of environment.tasks().slice(0, 5)) {
      const { rules, example } = environment.describe(task)
      expect(rules.length).toBeGreaterThan(100)
      if (example === null || !isPure(environment)) continue
      const { observation } = (await environment.open(task.id)).reset(task.id, 0)
      expect(example.observation).not.toBe(observation)
      expect(example.turns.length).toBeGreaterThan(1)
    }
  })
})

test.each(['atlantis', 'constructor', ''])(
  'the unknown environment "%s" is answered with the choices',
  async (id) => {
    await expect(environments.open(id)).rejects.toMatchObject({
      code: 'unknown_environment',
      param: 'environment',
      message: expect.stringContaining('Choose one of: textcraft'),
    })
  },
)

test('data that was never added is answered with the choices', async () => {
  await expect(environments.open('textcraft', 'mine')).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'data',
    message: expect.stringContaining('Choose one of: builtin'),
  })
})
