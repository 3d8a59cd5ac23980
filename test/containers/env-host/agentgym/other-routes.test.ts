import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../shared/core/contracts/json.ts'
import { facadeHost, scriptedDefinition } from '../facade-host.ts'

describe("the routes of AgentGym's WebShop server", () => {
  const start = 'WebShop [SEP] Instruction: [SEP] Buy {task}. [SEP] Search'
  const shop = scriptedDefinition(
    'webshop',
    [
      { id: 'webshop-10', type: 'x' },
      { id: 'webshop-9', type: 'x' },
    ],
    {
      opening: start,
      answers: {
        'search[mug]': { observation: 'Page 1' },
        'click[buy now]': { observation: 'Bye', reward: 0.5, done: true },
      },
      actions: ['click[back to search]', 'click[buy now]'],
    },
  )

  test('play a game in its shapes', async () => {
    const { get, post } = await facadeHost({ definitions: [shop] })
    const base = '/agentgym/webshop'
    expect(await (await get(base)).json()).toBe('ok')
    const env_idx = (await (await post(`${base}/create`)).json()) as number
    expect(env_idx).toBeTypeOf('number')
    const opening = start.replace('{task}', 'webshop-10')
    expect(await (await post(`${base}/reset`, { env_idx, session_id: 1 })).json()).toEqual([opening, null])
    expect(await (await get(`${base}/observation?env_idx=${env_idx}`)).json()).toBe(opening)
    expect(await (await get(`${base}/list_envs`)).json()).toEqual([env_idx])
    expect(await (await get(`${base}/instruction_text?env_idx=${env_idx}`)).json()).toBe('Buy webshop-10.')
    expect(await (await get(`${base}/available_actions?env_idx=${env_idx}`)).json()).toEqual({
      has_search_bar: true,
      clickables: ['search'],
    })
    const step = (action: string) => post(`${base}/step`, { env_idx, action })
    const searched = await step('search[mug]')
    expect(await searched.json()).toEqual({ state: 'Page 1', reward: 0, done: false, info: null })
    expect(await (await get(`${base}/available_actions?env_idx=${env_idx}`)).json()).toEqual({
      has_search_bar: false,
      clickables: ['back to search', 'buy now'],
    })
    const bought = { state: 'Bye', reward: 0.5, done: true, info: null }
    expect(await (await step('click[buy now]')).json()).toEqual(bought)
    expect(await (await step('search[mug]')).json()).toEqual(bought)
    expect(await (await get(`${base}/state?env_idx=${env_idx}`)).json()).toEqual({
      url: '',
      html: '',
      instruction_text: 'Buy webshop-10.',
    })
    const drawn = (await (await post(`${base}/reset`, { env_idx, session_id: null })).json()) as string[]
    expect(drawn[0]).toMatch(/Buy webshop-(9|10)\./)
  })

  test('answer what is not there with a plain 500', async () => {
    const { get, post } = await facadeHost({ definitions: [shop] })
    const answer = await post('/agentgym/webshop/step', { env_idx: 1, action: 'search[mug]' })
    expect([answer.status, await answer.text()]).toEqual([500, 'Internal Server Error'])
    expect((await get('/agentgym/webshop/observation?env_idx=1')).status).toBe(500)
    const env_idx = await (await post('/agentgym/webshop/create')).json()
    expect((await post('/agentgym/webshop/reset', { env_idx, session_id: 99 })).status).toBe(500)
    expect((await post('/agentgym/webshop/close', { env_idx })).status).toBe(404)
  })
})

describe("the routes of AgentGym's ALFWorld server", () => {
  const house = scriptedDefinition(
    'alfworld',
    [{ id: 'test/look_at_obj-Mug-1/trial_7', type: 'look_at_obj' }],
    {
      opening: '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in a room.\n\nYour task is to: look.',
      answers: {
        'go to desk 1': { observation: 'You arrive at loc 4. On the desk 1, you see a mug 1.' },
        'use desklamp 1': { observation: 'You turn on the desklamp 1.', reward: 1, done: true },
      },
      actions: ['go to desk 1', 'look'],
    },
  )

  test('play a game in its shapes', async () => {
    const { get, post } = await facadeHost({ definitions: [house] })
    const base = '/agentgym/alfworld'
    expect(await (await get(base)).json()).toBe('This is environment AlfWorld.')
    expect(await (await post(`${base}/create`)).json()).toEqual({ id: 0 })
    const available_actions = ['go to desk 1', 'look']
    const observation = 'You are in a room.\n\nYour task is to: look.'
    expect(await (await post(`${base}/reset`, { id: 0, game: 0, world_type: 'Text' })).json()).toEqual({
      id: 0,
      observation,
      available_actions,
      task_type: 'look_at_obj-Mug-1/trial_7',
    })
    expect(await (await get(`${base}/observation?id=0`)).json()).toBe(observation)
    const step = (action: string) => post(`${base}/step`, { id: 0, action })
    const went = { observation: 'On the desk 1, you see a mug 1.', reward: 0, available_actions, done: false }
    expect(await (await step('go to desk 1')).json()).toEqual(went)
    expect(await (await get(`${base}/available_actions?id=0`)).json()).toEqual(available_actions)
    expect(await (await get(`${base}/detail?id=0`)).json()).toEqual({
      world_type: 'Text',
      game: 0,
      observation: 'On the desk 1, you see a mug 1.',
      available_actions,
      done: false,
      reward: 0,
      deleted: false,
    })
    expect(await (await step('use desklamp 1')).json()).toMatchObject({ reward: 1, done: true })
    expect(await (await get(`${base}/detail?id=0`)).json()).toEqual({
      error: 'The task with environment 0 has finished.',
    })
    const finished = { error: 'The task with environment 0 has finished.' }
    expect(await (await step('look')).json()).toEqual(finished)
    expect(await (await get(`${base}/available_actions?id=0`)).json()).toEqual(finished)
    expect(await (await get(`${base}/observation?id=0`)).json()).toEqual(finished)
  })

  test('name the worlds there are, and a game that is not there', async () => {
    const { post } = await facadeHost({ definitions: [house] })
    await post('/agentgym/alfworld/create')
    const reset = async (game: number, world_type: string) =>
      (await post('/agentgym/alfworld/reset', { id: 0, game, world_type })).json()
    expect(await reset(0, 'Paper')).toEqual({
      error: 'world_type must be one of "Text", "Embody" and "Hybrid"',
    })
    expect(await reset(0, 'Embody')).toEqual({ error: expect.stringContaining('alone') })
    expect(await reset(1, 'Text')).toEqual({ error: 'There is no task 1: alfworld has the tasks 0 to 0.' })
  })
})

describe("the routes of AgentGym's ScienceWorld server", () => {
  const lab = scriptedDefinition('scienceworld-plain', [{ id: 'boil/3', type: 'boil' }], {
    opening: 'Your task is to boil water.\nYou are in the lab.\nThere is a sink.',
    answers: {
      'open door': { observation: 'The door is open.', reward: 0.25 },
      wait: { observation: 'Time passes.', reward: 0.25 },
      'focus on air': { observation: 'Wrong.', reward: -1, done: true },
    },
    actions: [],
  })

  test('play a game in its shapes', async () => {
    const { get, post } = await facadeHost({ definitions: [lab] })
    const base = '/agentgym/scienceworld'
    expect(await (await get(base)).json()).toBe('This is environment ScienceWorld.')
    expect(await (await post(`${base}/create`)).json()).toEqual({ id: 0 })
    expect(await (await post(`${base}/reset`, { id: 0, data_idx: 0 })).json()).toEqual({
      task_name: 'boil',
      var_num: 3,
      task_description: 'Your task is to boil water.',
      observation: 'You are in the lab.\nThere is a sink.',
      reward: 0,
      score: 0,
      deleted: false,
      done: false,
    })
    const step = async (action: string) => (await post(`${base}/step`, { id: 0, action })).json()
    const opened = { observation: 'The door is open.', reward: 25, score: 25, done: false }
    expect(await step('open door')).toEqual(opened)
    expect(await step('wait')).toEqual({ observation: 'Time passes.', reward: 0, score: 25, done: false })
    expect(await step('focus on air')).toMatchObject({ reward: -125, score: -100, done: true })
    const finished = { error: 'The task with environment 0 has finished.' }
    expect(await step('wait')).toEqual(finished)
    expect(await (await get(`${base}/observation?id=0`)).json()).toEqual(finished)
    expect(await (await post(`${base}/close`, { id: 0 })).json()).toBe(true)
    expect((await post(`${base}/close`, { id: 0 })).status).toBe(500)
  })

  test('show what the simulator knows, in the shapes of the original and of Agent-R', async () => {
    const known: Record<string, Json> = {
      look: 'You see a sink.',
      inventory: 'An orange.',
      task: 'Your task is to boil water.',
      goals: 'Goal 1: no',
      possible_actions: Array.from({ length: 12 }, (_, index) => `action ${index}`),
      possible_objects: ['sink', 'agent'],
      valid_actions: ['open door', 'wait'],
      gold_actions: ['ERROR: not generated'],
      object_tree: { '1': { name: 'sink' } },
    }
    const inspect = (what: string, steps: number) =>
      what === 'figures' ? { score: 21 + steps * 4, moves: steps * 50 } : (known[what] ?? null)
    const { get, post } = await facadeHost({ definitions: [lab], inspect })
    const base = '/agentgym/scienceworld'
    const ask = async (route: string) => (await get(`${base}/${route}?id=0`)).json()
    await post(`${base}/create/`)
    const start = {
      task_name: 'boil',
      var_num: 3,
      task_description: 'Your task is to boil water.',
      observation: 'You are in the lab.\nThere is a sink.',
      reward: 21,
      score: 21,
      deleted: false,
      done: false,
    }
    expect(await (await post(`${base}/reset/`, { id: 0, data_idx: 0 })).json()).toEqual(start)
    expect(await ask('detail')).toEqual(start)
    expect(await ask('observation/')).toBe(start.observation)
    const step = async (action: string) => (await post(`${base}/step`, { id: 0, action })).json()
    const opened = { observation: 'The door is open.', reward: 4, score: 25, done: false }
    expect(await step('open door')).toEqual(opened)
    const detail = { ...start, ...opened }
    expect(await ask('detail')).toEqual(detail)
    expect(await ask('goals')).toEqual({ goals: 'Goal 1: no' })
    expect(await ask('task_description')).toEqual({ task_description: 'Your task is to boil water.' })
    expect(await ask('object_tree')).toEqual({ object_tree: { '1': { name: 'sink' } } })
    expect(await ask('action_hint')).toEqual({
      possible_actions: known.possible_actions,
      possible_objects: ['sink', 'agent'],
    })
    expect(await ask('state')).toEqual({
      observation: 'You see a sink.',
      inventory: 'An orange.',
      task_description: 'Your task is to boil water.',
      goal_progress: 'Goal 1: no',
      possible_actions: (known.possible_actions as string[]).slice(0, 10),
      possible_objects: ['sink', 'agent'],
      current_moves: 50,
      environment_info: detail,
    })
    expect(await ask('look_around')).toEqual({ look_around: 'You see a sink.' })
    expect(await ask('inventory')).toEqual({ inventory: 'An orange.' })
    expect(await ask('valid_action_object_combinations')).toEqual({
      get_valid_action_object_combinations: ['open door', 'wait'],
    })
    expect(await ask('golden_action_seq')).toEqual({ golden_action_seq: ['ERROR: not generated'] })
    // The kinds of task have the numbers of their names in alphabetical order.
    expect(await ask('game_nums')).toEqual([1, { '0': [0] }])
    expect(await step('wait')).toMatchObject({ reward: 4, score: 29, done: false })
    // The simulator of the original ends a game after 100 moves.
    expect(await step('wait')).toMatchObject({ score: 33, done: true })
    const finished = { error: 'The task with environment 0 has finished.' }
    for (const route of ['detail', 'goals', 'state', 'action_hint', 'look_around', 'game_nums']) {
      expect(await ask(route)).toEqual(finished)
    }
    expect(await step('wait')).toEqual(finished)
  })

  test('play the world with simplifications under a name of its own', async () => {
    const easy = scriptedDefinition('scienceworld', [{ id: 'boil/3', type: 'boil' }], {
      opening: 'Your task is to boil water.\nThis is the easy lab.',
      answers: {},
      actions: [],
    })
    const { post } = await facadeHost({ definitions: [easy, lab] })
    const startOf = async (name: string) => {
      await post(`/agentgym/${name}/create`)
      return (await post(`/agentgym/${name}/reset`, { id: 0, data_idx: 0 })).json()
    }
    expect(await startOf('scienceworld-easy')).toMatchObject({ observation: 'This is the easy lab.' })
    expect(await startOf('scienceworld')).toMatchObject({ observation: expect.stringContaining('a sink') })
    expect(await startOf('scienceworld-plain')).toMatchObject({
      observation: expect.stringContaining('a sink'),
    })
  })

  test('take steps that are sent at once one after the other', async () => {
    const { post } = await facadeHost({ definitions: [lab] })
    const base = '/agentgym/scienceworld'
    await post(`${base}/create`)
    const step = async (action: string) => (await post(`${base}/step`, { id: 0, action })).json()
    expect(await Promise.all(['open door', 'wait', 'focus on air', 'wait'].map(step))).toMatchObject([
      { reward: 25, score: 25 },
      { reward: 0, score: 25 },
      { reward: -125, score: -100, done: true },
      { error: 'The task with environment 0 has finished.' },
    ])
  })
})
