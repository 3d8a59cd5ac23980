import { describe, expect, test } from 'vitest'
import { environmentInfoSchema } from '../../shared/contracts/catalogue.ts'
import { describeEnvironment, environments, findEnvironment } from '../../shared/environments/environments.ts'

describe.each(Object.keys(environments))('the environment %s', (id) => {
  const environment = findEnvironment(id)

  test('is found by its own id and describes itself', () => {
    expect(environment.id).toBe(id)
    const info = describeEnvironment(environment)
    expect(environmentInfoSchema.parse(info)).toEqual(info)
    const total = Object.values(info.splits).reduce((sum, count) => sum + count, 0)
    expect(total).toBe(environment.tasks().length)
    expect(Object.keys(info.splits)).toEqual(expect.arrayContaining(['train', 'test']))
  })

  test('has tasks with ids of their own, split by split', () => {
    const tasks = environment.tasks()
    expect(new Set(tasks.map((task) => task.id)).size).toBe(tasks.length)
    const turns = tasks.filter((task, index) => task.split !== tasks[index - 1]?.split).length
    expect(turns).toBe(new Set(tasks.map(({ split }) => split)).size)
  })

  test('resets a task to a state that JSON keeps', () => {
    const [task] = environment.tasks()
    const { state, observation } = environment.reset(task?.id ?? '', 0)
    expect(JSON.parse(JSON.stringify(state))).toEqual(state)
    expect(observation.length).toBeGreaterThan(0)
  })
})

test.each(['atlantis', 'constructor', ''])(
  'the unknown environment "%s" is answered with the choices',
  (id) => {
    expect(() => findEnvironment(id)).toThrow(
      expect.objectContaining({
        code: 'unknown_environment',
        param: 'environment',
        message: expect.stringContaining('Choose one of: textcraft'),
      }),
    )
  },
)
