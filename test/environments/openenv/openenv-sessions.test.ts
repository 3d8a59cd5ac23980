import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { mountFacades } from '../../../containers/env-host/mount-facades.ts'
import { createSocketServer } from '../../../containers/env-host/openenv/openenv-socket.ts'
import { TableSessions } from '../../../containers/env-host/table-sessions.ts'
import { openOpenenvEnvironment } from '../../../shared/environments/openenv/openenv-environment.ts'
import { openenvRegistrationSchema } from '../../../shared/environments/openenv/openenv-registration.ts'
import { OpenenvSessions } from '../../../shared/environments/openenv/openenv-sessions.ts'
import { textcraft } from '../../../shared/environments/textcraft/textcraft.ts'
import { validateEnvironment } from '../../../shared/environments/validation/validate-environment.ts'
import { facadeHost } from '../../containers/env-host/facade-host.ts'
import { serveApp } from '../../support/serve-app.ts'
import { observation, refusal, serveOpenenv } from './scripted-openenv.ts'

const { signal } = new AbortController()
const text = { type: 'object', properties: { message: { type: 'string' } }, required: ['message'] }

async function openSessions(address: string, more: object = {}) {
  const registration = openenvRegistrationSchema.parse({ kind: 'openenv', address, ...more })
  const environment = await openOpenenvEnvironment('lab', registration)
  const { host } = environment
  if (host.kind !== 'openenv') throw new Error('It is another kind of environment.')
  return { environment, sessions: new OpenenvSessions('lab', host) }
}

const request = { task: 'lab-00003', seed: 5, holder: 'test' }

/** A server that counts: each step is worth what its message says. */
const counting = () =>
  serveOpenenv({
    action: text,
    answer({ type, data }) {
      if (type === 'reset') return observation({ said: 'Go.' }, 0)
      const [worth = '', done] = String(data.message).split(' ')
      return observation(
        { said: data.message ?? null },
        worth === 'null' ? null : Number(worth),
        done === 'end',
      )
    },
  })

async function playCounting(actions: string[], more: object = {}) {
  const { address } = await counting()
  const { sessions } = await openSessions(address, more)
  const { live } = await sessions.open(request, signal)
  const rewards: number[] = []
  for (const action of actions) rewards.push((await live.step(action, signal)).reward)
  await live.close()
  return rewards
}

describe('a host of ours behind its OpenEnv facade', () => {
  test('answers as the environment in process, and passes the validator', async () => {
    const { table } = await facadeHost()
    const app = new Hono()
    const sockets = createSocketServer()
    mountFacades(app, new TableSessions(table), { agentgym: null, openenv: null }, () => undefined)
    const address = `${await serveApp(app, sockets)}/openenv/textcraft/`
    const tasks = { test: [{ id: 'first', reset: { task: 'textcraft-0042', seed: 0 } }] }
    const { environment, sessions } = await openSessions(address, {
      tasks,
      observation_fields: ['text'],
      deterministic: true,
    })
    const { live, result } = await sessions.open({ ...request, task: 'first' }, signal)
    const start = textcraft.reset('textcraft-0042', 0)
    expect(result.observation).toBe(start.observation)
    const inventory = await live.step('inventory', signal)
    expect(inventory).toMatchObject({
      observation: textcraft.step(start.state, 'inventory').observation,
      reward: 0,
    })
    expect((await live.restore(null, signal)).observation).toBe(start.observation)
    await live.close()
    const report = await validateEnvironment(environment, { sessions, tasks: 1, steps: 12 })
    expect(report.checks.filter(({ status }) => status === 'failed')).toEqual([])
    await expect.poll(() => table.health().sessions).toBe(0)
  })
})

describe('tasks', () => {
  test('are seeds, or resets that carry the seed of the run', async () => {
    const { address, received } = await counting()
    const tasks = { test: [3, 5], train: [{ id: 'easy', reset: { level: 1 }, max_steps: 4 }] }
    const { environment, sessions } = await openSessions(address, { tasks })
    expect(environment.tasks()).toMatchObject([
      { id: 'lab-00003', split: 'test' },
      { id: 'lab-00004', split: 'test' },
      { id: 'easy', split: 'train', max_steps: 4 },
    ])
    for (const task of ['lab-00003', 'easy'])
      await (await sessions.open({ ...request, task }, signal)).live.close()
    expect(received.filter(({ type }) => type === 'reset').map(({ data }) => data)).toEqual([
      { seed: 3 },
      { seed: 5, level: 1 },
    ])
    await expect(sessions.open({ ...request, task: 'other' }, signal)).rejects.toMatchObject({
      code: 'unknown_task',
    })
  })
})

describe('rewards', () => {
  test('are summed, as OpenEnv gives them step by step, unless something else is said', async () => {
    const actions = ['0.25', 'null', '0.5', '-0.5']
    expect(await playCounting(actions)).toEqual([0.25, 0.25, 0.75, 0.25])
    expect(await playCounting(actions, { reward: 'last' })).toEqual([0.25, 0.25, 0.5, 0])
    expect(await playCounting(actions, { reward: 'max' })).toEqual([0.25, 0.25, 0.5, 0.5])
    expect(await playCounting(['-2', '5'], { reward: 'last', reward_range: [-2, 6] })).toEqual([0, 0.875])
  })

  test('that a server never gave make no zero of an episode that it ended', async () => {
    await expect(playCounting(['null end'])).rejects.toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining('without any reward'),
    })
    expect(await playCounting(['0 end'])).toEqual([0])
  })
})

describe('an action that the server refuses', () => {
  const refusing = (code: string, more = {}) =>
    serveOpenenv({
      action: text,
      answer: ({ type }) => (type === 'reset' ? observation({ said: 'Go.' }) : refusal(code, 'Bad.', more)),
    })

  test('is invalid where it does not fit the schema, and the session goes on', async () => {
    const { address } = await refusing('VALIDATION_ERROR', {
      errors: [{ loc: ['message'], msg: 'Too long' }],
    })
    const { sessions } = await openSessions(address)
    const { live } = await sessions.open(request, signal)
    const expected = {
      valid: false,
      done: false,
      reward: 0,
      observation: 'The action was not understood: Bad.; message: Too long',
    }
    expect(await live.step('x', signal)).toMatchObject(expected)
    expect(await live.step('x', signal)).toMatchObject(expected)
    await live.close()
  })

  test('is a failure of the episode where the environment fails, unless the file says otherwise', async () => {
    const { address } = await refusing('EXECUTION_ERROR')
    const { live } = await (await openSessions(address)).sessions.open(request, signal)
    await expect(live.step('x', signal)).rejects.toMatchObject({
      code: 'endpoint_failed',
      message: expect.stringContaining('"step_errors": "invalid_action"'),
    })
    const lenient = await openSessions(address, { step_errors: 'invalid_action' })
    const { live: other } = await lenient.sessions.open(request, signal)
    expect(await other.step('x', signal)).toMatchObject({
      valid: false,
      observation: 'The action failed: Bad.',
    })
    await Promise.all([live.close(), other.close()])
  })

  test('is a lost session where the server no longer has it, or cuts the connection', async () => {
    const gone = await openSessions((await refusing('SESSION_ERROR')).address)
    const { live } = await gone.sessions.open(request, signal)
    await expect(live.step('x', signal)).rejects.toMatchObject({ name: 'SessionLost' })
    const { address } = await serveOpenenv({
      action: text,
      answer: ({ type }) => (type === 'reset' ? observation({ said: 'Go.' }) : null),
    })
    const cut = await openSessions(address)
    const { live: other } = await cut.sessions.open(request, signal)
    await expect(other.step('x', signal)).rejects.toMatchObject({ name: 'SessionLost' })
    await Promise.all([live.close(), other.close()])
  })
})

test('a full server is asked again until it has room', async () => {
  const { address, connections } = await serveOpenenv({
    action: text,
    capacity: 1,
    answer: () => observation({ said: 'Go.' }),
  })
  const { sessions } = await openSessions(address)
  const first = await sessions.open(request, signal)
  let calls = 0
  const second = sessions.open({ ...request, onNoRoom: () => (calls += 1) }, signal)
  await expect.poll(() => calls).toBeGreaterThan(0)
  await first.live.close()
  const { live, result } = await second
  expect(result.observation).toBe('Go.')
  await live.close()
  await expect.poll(() => connections.size).toBe(0)
})

describe('a server that has only tools', () => {
  const tools = [
    {
      name: 'greet',
      description: 'Greets.',
      input_schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    },
  ]
  const serve = () =>
    serveOpenenv({
      action: { type: 'object', properties: { metadata: { type: 'object' } } },
      answer({ type, data }) {
        if (type === 'reset') return observation({ metadata: { ready: true } })
        if (data.type === 'list_tools') return observation({ tools, metadata: {} })
        const { name } = data.arguments as { name?: string }
        const error = { error_type: 'invalid_args', message: 'name is missing' }
        if (name === undefined) return observation({ tool_name: 'greet', result: null, error, metadata: {} })
        const content = [{ type: 'text', text: `Hello, ${name}!` }]
        const result = { content, structured_content: null, is_error: name === 'nobody' }
        return observation({ tool_name: 'greet', result, error: null, metadata: {} }, 1)
      },
    })

  test('lists them for the guide, and plays their calls', async () => {
    const { environment, sessions } = await openSessions((await serve()).address)
    const [task] = environment.tasks()
    if (task === undefined) throw new Error('There are no tasks.')
    expect(environment.describe(task).rules).toContain('- greet {"name": string}: Greets.')
    const { live, result } = await sessions.open(request, signal)
    expect(result.observation).toBe('There is nothing to observe.')
    expect(await live.step('greet Ada', signal)).toMatchObject({
      observation: 'Hello, Ada!',
      reward: 1,
      valid: true,
    })
    expect(await live.step('greet nobody', signal)).toMatchObject({
      observation: 'Hello, nobody!',
      valid: false,
    })
    expect(await live.step('greet', signal)).toMatchObject({
      observation: 'The call failed: name is missing',
      valid: false,
    })
    expect(await live.step('wave', signal)).toMatchObject({
      observation: expect.stringMatching(/no tool "wave".*greet/),
      valid: false,
    })
    await live.close()
  })
})

test('observations are shown plainly: one text as it is, more fields line by line', async () => {
  const { address } = await serveOpenenv({
    action: text,
    answer: ({ type }) =>
      type === 'reset'
        ? observation({ board: 'ab\ncd', moves: ['a', 'b'], hint: null, metadata: { time: 1 } })
        : observation({ board: 'ab\ncd', hint: null }),
  })
  const { sessions } = await openSessions(address)
  const { live, result } = await sessions.open(request, signal)
  expect(result.observation).toBe('board:\nab\ncd\nmoves: ["a","b"]')
  expect((await live.step('x', signal)).observation).toBe('ab\ncd')
  await live.close()
})

test('a server that is not there, or is none of OpenEnv, says so when it is first used', async () => {
  await expect(openSessions('http://127.0.0.1:1')).rejects.toMatchObject({
    code: 'host_unreachable',
    message: expect.stringMatching(/"lab" cannot be reached.*Start it, or correct its address/),
  })
  const { address } = await counting()
  await expect(openSessions(`${address}/nowhere`)).rejects.toMatchObject({
    code: 'endpoint_failed',
    message: expect.stringContaining('status 404'),
  })
  await expect(openSessions(address, { action_field: 'move' })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('"move"'),
  })
})
