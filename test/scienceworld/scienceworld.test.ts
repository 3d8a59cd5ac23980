import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleTask } from '../../shared/environments/scienceworld/guide.ts'
import { variants } from '../../shared/environments/scienceworld/scienceworld.ts'
import { openProgramHost } from '../support/open-program-host.ts'
import { pythonWith } from '../support/python-venv.ts'

const java = { command: 'java', purpose: 'Java 17, such as the package openjdk-17-jre-headless' }

let host: Awaited<ReturnType<typeof openProgramHost>>

beforeAll(async () => {
  const python = await pythonWith('shared/environments/scienceworld/host/requirements.txt', [java])
  host = await openProgramHost('scienceworld', python)
})

afterAll(() => host.close())

/** A solution by hand, of the easy world. */
const boilWater = [
  'teleport to kitchen',
  'pick up thermometer',
  'open cupboard',
  'pick up metal pot',
  'teleport to bathroom',
  'move metal pot to sink',
  'activate sink',
  'deactivate sink',
  'pick up metal pot',
  'focus on substance in metal pot',
  'teleport to foundry',
  'open blast furnace',
  'move metal pot to blast furnace',
  'activate blast furnace',
  'examine substance in metal pot',
  'wait1',
]

describe('ScienceWorld on a host', () => {
  test('says what it serves', async () => {
    expect(await host.get('/health')).toMatchObject({
      environments: ['scienceworld', 'scienceworld-plain'],
      slots: 3,
    })
    const listed = await host.get('/environments/scienceworld/tasks?limit=1')
    expect(listed).toMatchObject({ data: [{ id: expect.stringContaining('boil/'), max_steps: 100 }] })
  })

  test('scores a task that failed for good by its end, or by the best before it', async () => {
    const failed = { environment: 'scienceworld', task: 'find-living-thing/0' }
    const actions = ['teleport to kitchen', 'focus on lighter']
    const endOf = async (options?: Record<string, string>) =>
      (await host.play({ ...failed, ...(options && { options }) }, actions)).steps.at(-1)
    expect(await endOf()).toMatchObject({ reward: -1, done: true, progress: 0.25 })
    expect(await endOf({ scoring: 'best' })).toMatchObject({ reward: 0.25, done: true, progress: 0.25 })
  })

  test('takes the nearest of the listed actions where it is set to', async () => {
    const task = { environment: 'scienceworld', task: exampleTask }
    const written = ['please teleport to the kitchen', 'move the lighter to a yellow box']
    const near = await host.play({ ...task, options: { actions: 'nearest' } }, written)
    expect(near.steps.map(({ observation }) => observation)).toEqual([
      'You teleport to the kitchen.',
      'You move the lighter to the yellow box.',
    ])
    const exact = await host.play(task, written)
    expect(exact.steps.map(({ valid }) => valid)).toEqual([false, false])
  })

  test('plays the example that its guide shows, word for word', async () => {
    const plain = variants.find(({ facts }) => facts.id === 'scienceworld-plain')?.facts
    const [task] = plain?.tasks() ?? []
    const example = task && plain?.describe(task).example
    const turns = example?.turns ?? []
    const { start, steps } = await host.play(
      { environment: 'scienceworld-plain', task: exampleTask },
      turns.map(({ action }) => action),
    )
    expect(start).toMatchObject({ observation: example?.observation, step_index: 0, state_hash: null })
    expect(steps.map(({ observation }) => observation)).toEqual(turns.map(({ observation }) => observation))
    expect(steps.at(-1)).toMatchObject({ reward: 1, done: true, progress: 1, valid: true })
    expect(steps.slice(0, -1).every(({ done, reward }) => !done && reward < 1)).toBe(true)
  })

  test('gives the best score so far, and knows which actions were understood', async () => {
    const { steps } = await host.play({ environment: 'scienceworld', task: 'boil/3' }, [
      'say hello',
      ...boilWater,
    ])
    expect(steps[0]).toMatchObject({
      valid: false,
      observation: 'No known action matches that input.',
      reward: 0,
    })
    const rewards = steps.map(({ reward }) => reward)
    expect(rewards).toEqual([...rewards].sort((one, other) => one - other))
    expect(steps.slice(1).every(({ valid }) => valid)).toBe(true)
    expect(new Set(rewards).size).toBeGreaterThan(4)
    expect(steps.at(-1)).toMatchObject({ reward: 1, done: true })
    expect(steps.map(({ progress }) => progress)).toEqual(rewards)
  })

  test('ends as a disaster where the task has failed for good', async () => {
    const { steps } = await host.play({ environment: 'scienceworld', task: 'boil/3' }, ['focus on agent'])
    expect(steps[0]).toMatchObject({ reward: -1, done: true, progress: 0 })
  })

  test('answers the same on replay: begun again, in another session, and in another host', async () => {
    const tasks = ['boil/3', 'grow-plant/5', 'mendelian-genetics-known-plant/4', 'identify-life-stages-1/2']
    const actions = [
      'look around',
      'teleport to kitchen',
      'look in hallway',
      'look around',
      'open fridge',
      'wait',
    ]
    const python = await pythonWith('shared/environments/scienceworld/host/requirements.txt')
    const another = await openProgramHost('scienceworld', python)
    try {
      for (const task of tasks) {
        const asked = { environment: 'scienceworld', task }
        const first = await host.play(asked, actions)
        const paths = first.steps.map(({ path }) => path)
        expect((await host.play(asked, actions)).steps.map(({ path }) => path)).toEqual(paths)
        expect((await another.play(asked, actions)).steps.map(({ path }) => path)).toEqual(paths)
      }
    } finally {
      await another.close()
    }
  })

  test('begins a session again when it is asked to, and copies none', async () => {
    const start = (await host.post('/sessions', {
      environment: 'scienceworld',
      task: 'find-plant/1',
      seed: 0,
      token: 1,
    })) as { id: string }
    await host.post(`/sessions/${start.id}/step`, { action: 'teleport to kitchen', step_index: 0, token: 1 })
    expect(await host.post(`/sessions/${start.id}/restore`, { token: 1 })).toEqual(start)
    expect(await host.post(`/sessions/${start.id}/snapshot`, { token: 1 })).toMatchObject({
      error: { code: 'not_supported' },
    })
  })

  test('answers odd actions, and goes on', async () => {
    const odd = ['', ' ', 'x'.repeat(2 ** 20), '\u0000\u001b\n', '\ud800', '火', '0']
    const { steps } = await host.play({ environment: 'scienceworld', task: 'melt/0' }, [...odd, 'inventory'])
    expect(steps.slice(0, -1).every(({ valid, done, reward }) => !valid && !done && reward === 0)).toBe(true)
    expect(steps.at(-1)?.observation).toContain('In your inventory')
  })

  test('refuses tasks that are not there', async () => {
    for (const task of ['boil/30', 'boil/x', 'boil', 'cook/1', '/1']) {
      const answer = await host.post('/sessions', { environment: 'scienceworld', task, seed: 0, token: 1 })
      expect(answer).toMatchObject({ error: { code: 'unknown_task' } })
    }
  })

  test('has every task that is listed', async () => {
    const types = new Map(variants[0]?.facts.tasks().map((task) => [task.type, task.id]))
    expect(types.size).toBe(30)
    for (const task of types.values()) {
      const { start } = await host.play({ environment: 'scienceworld', task }, [])
      expect(start.observation).toMatch(/^Your task is to .+\n(This|The) /s)
    }
  })
})

describe('ScienceWorld for the clients of AgentGym', () => {
  test('starts with the score that a task has, and adds to it', async () => {
    const base = '/agentgym/scienceworld'
    const { id } = (await host.post(`${base}/create`, {})) as { id: number }
    // chemistry-mix/2, whose ingredients are in the room.
    const start = await host.post(`${base}/reset`, { id, data_idx: 4138 })
    expect(start).toMatchObject({
      task_name: 'chemistry-mix',
      var_num: 2,
      reward: 21,
      score: 21,
      done: false,
    })
    expect(await host.get(`${base}/detail?id=${id}`)).toEqual(start)
    expect(await host.post(`${base}/step`, { id, action: 'look around' })).toMatchObject({
      reward: 0,
      score: 21,
    })
    // Simplifications would have the agent teleport.
    expect(await host.post(`${base}/step`, { id, action: 'teleport to kitchen' })).toMatchObject({
      observation: 'No known action matches that input.',
    })
    expect(await host.get(`${base}/state?id=${id}`)).toMatchObject({
      goal_progress: expect.any(String),
      current_moves: 0,
      possible_actions: expect.arrayContaining(['activate OBJ']),
    })
    expect(await host.post(`${base}/close`, { id })).toBe(true)
  })
})
