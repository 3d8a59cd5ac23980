import { describe, expect, test } from 'vitest'
import { alfworldDefinition } from '../../../shared/environments/alfworld/definition.ts'
import { isPure, type PureEnvironment } from '../../../shared/environments/environment.ts'

async function openBuiltin(): Promise<PureEnvironment> {
  const environment = await alfworldDefinition.open(null)
  if (!isPure(environment)) throw new Error('ALFWorld is pure.')
  return environment
}

describe('ALFWorld with the games that come along', () => {
  test('states what the field expects', async () => {
    const { id, snapshot, deterministic, success_threshold, default_max_steps } = await openBuiltin()
    expect({ id, snapshot, deterministic, success_threshold, default_max_steps }).toEqual({
      id: 'alfworld',
      snapshot: 'native',
      deterministic: true,
      success_threshold: 1,
      default_max_steps: 40,
    })
  })

  test('plays one game per task, whatever the seed and whatever was opened between', async () => {
    const environment = await openBuiltin()
    const [first, ...others] = environment.tasks().slice(0, 80)
    const task = first?.id ?? ''
    const core = await environment.open(task)
    const start = core.reset(task, 0)
    for (const { id } of others) await environment.open(id)
    const again = await environment.open(task)
    expect(again.reset(task, 7)).toEqual(start)
    expect(again.step(start.state, 'look')).toEqual(core.step(start.state, 'look'))
    expect(again.validActions?.(start.state)).toEqual(core.validActions?.(start.state))
  })

  test('names an unknown task and how to list tasks', async () => {
    const environment = await openBuiltin()
    const unknown = expect.objectContaining({
      code: 'unknown_task',
      param: 'tasks.ids',
      message: expect.stringMatching(/"test\/none".*List its tasks/),
    })
    await expect(environment.open('test/none')).rejects.toEqual(unknown)
    const [task] = environment.tasks()
    const core = await environment.open(task?.id ?? '')
    expect(() => core.reset('test/none', 0)).toThrow(unknown)
  })

  test('gives agents the rules in the words of the game, with an example of a goal that is no task', async () => {
    const environment = await openBuiltin()
    const [task] = environment.tasks()
    if (task === undefined) throw new Error('It has tasks.')
    const { rules, example } = environment.describe(task)
    expect(rules).toContain('"move <object> to <receptacle>"')
    expect(example?.turns.at(-1)?.action).toBe('move mug 1 to shelf 1')
    const goals = environment.tasks().map(({ description }) => description.toLowerCase())
    const goal = /Your task is to: (.*)$/.exec(example?.observation ?? '')?.[1] ?? ''
    expect(goals).not.toContain(goal)
  })
})
