import { describe, expect, test } from 'vitest'
import { OpenenvConnection } from '../../../../containers/env-host/openenv/openenv-connection.ts'
import { TableSessions } from '../../../../containers/env-host/table-sessions.ts'
import { textcraft } from '../../../../shared/environments/textcraft/textcraft.ts'
import { facadeHost, scriptedDefinition } from '../facade-host.ts'

async function connect(options: Parameters<typeof facadeHost>[0] = {}, environment = 'textcraft') {
  const host = await facadeHost(options)
  const logged: string[] = []
  const log = (_level: string, event: string) => logged.push(event)
  const connection = new OpenenvConnection(environment, new TableSessions(host.table), log)
  const say = (message: unknown) => connection.answer(JSON.stringify(message))
  return { ...host, connection, logged, say }
}

const [first, second] = textcraft.tasks()

describe('a connection of an OpenEnv client', () => {
  test('plays an episode in the shapes of OpenEnv', async () => {
    const { say, connection, table } = await connect()
    const before = { episode_id: null, step_count: 0, environment: 'textcraft', task: null, seed: null }
    expect(await say({ type: 'state' })).toEqual({ type: 'state', data: before })
    expect(table.health().sessions).toBe(0)
    const reset = { type: 'reset', data: { seed: 0, episode_id: 'e1', task: second?.id, other: [1] } }
    const text = textcraft.reset(second?.id ?? '', 0).observation
    expect(await say(reset)).toEqual({
      type: 'observation',
      data: { observation: { text, valid: true, progress: 0 }, reward: null, done: false },
    })
    expect(await say({ type: 'step', data: { action: 'inventory', metadata: { a: 1 } } })).toEqual({
      type: 'observation',
      data: {
        observation: { text: 'Inventory: You are not carrying anything.', valid: true, progress: 0 },
        reward: 0,
        done: false,
      },
    })
    const state = { episode_id: 'e1', step_count: 1, environment: 'textcraft', task: second?.id, seed: 0 }
    expect(await say({ type: 'state' })).toEqual({ type: 'state', data: state })
    expect(await say({ type: 'close' })).toBeNull()
    await connection.close()
    expect(table.health().sessions).toBe(0)
  })

  test('takes the task that the seed names where none is given, and the first without a seed', async () => {
    const { say, table } = await connect()
    const taskAfter = async (data: object) => {
      await say({ type: 'reset', data })
      return (await say({ type: 'state' }))?.data
    }
    expect(await taskAfter({})).toMatchObject({ task: first?.id, seed: 0 })
    const seed = textcraft.tasks().length + 1
    expect(await taskAfter({ seed })).toMatchObject({ task: second?.id, seed })
    expect(await taskAfter({ seed: 7, task: first?.id })).toMatchObject({ task: first?.id, seed: 7 })
    expect(table.health().sessions).toBe(1)
  })

  test.each([
    ['INVALID_JSON', '{'],
    ['INVALID_JSON', ''],
    ['UNKNOWN_TYPE', '{"type":"fly"}'],
    ['UNKNOWN_TYPE', '{}'],
    ['UNKNOWN_TYPE', '{"type":{"toString":1}}'],
    ['VALIDATION_ERROR', '[]'],
    ['VALIDATION_ERROR', 'null'],
    ['VALIDATION_ERROR', '{"type":"step"}'],
    ['VALIDATION_ERROR', '{"type":"step","data":{"action":3}}'],
    ['VALIDATION_ERROR', '{"type":"step","data":{"action":"x","more":1}}'],
    ['VALIDATION_ERROR', '{"type":"state","data":{}}'],
    ['VALIDATION_ERROR', '{"type":"reset","data":{"seed":-1}}'],
    ['EXECUTION_ERROR', '{"type":"step","data":{"action":"inventory"}}'],
    ['EXECUTION_ERROR', '{"type":"reset","data":{"task":"nowhere"}}'],
  ])('answers %s to %s, and goes on', async (code, message) => {
    const { connection, say, logged } = await connect()
    const answer = await connection.answer(message)
    expect(answer).toMatchObject({ type: 'error', data: { code, message: expect.any(String) } })
    expect(await say({ type: 'reset', data: {} })).toMatchObject({ type: 'observation' })
    expect(logged).toEqual([])
  })

  test('answers a message that is nested without end, and goes on', async () => {
    const { connection, say, logged } = await connect()
    const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
    for (const data of [`{"action":"x","metadata":{"a":${nested}}}`, `{"a":${nested}}`]) {
      for (const type of ['step', 'mcp', 'reset']) {
        const answer = await connection.answer(`{"type":"${type}","data":${data}}`)
        expect(answer).toMatchObject({ type: 'error', data: { code: 'VALIDATION_ERROR' } })
      }
    }
    expect(await say({ type: 'reset', data: {} })).toMatchObject({ type: 'observation' })
    expect(logged).toEqual([])
  })

  test('says which field does not fit', async () => {
    const { say } = await connect()
    expect(await say({ type: 'step', data: { action: 3 } })).toEqual({
      type: 'error',
      data: {
        message: 'Invalid message',
        code: 'VALIDATION_ERROR',
        errors: [
          { type: 'string_type', loc: ['data', 'action'], msg: 'Input should be a valid string', input: 3 },
        ],
      },
    })
  })

  test('answers CAPACITY_REACHED while the host is full, and gets in afterwards', async () => {
    const { say, post, table } = await connect({ slots: 1 })
    await post('/agentgym/textcraft/create', {})
    const refused = await say({ type: 'reset', data: {} })
    expect(refused).toMatchObject({ type: 'error', data: { code: 'CAPACITY_REACHED' } })
    await post('/agentgym/textcraft/close', { id: 0 })
    expect(await say({ type: 'reset', data: {} })).toMatchObject({ type: 'observation' })
    table.drain()
    expect(await say({ type: 'step', data: { action: 'inventory' } })).toMatchObject({ type: 'observation' })
  })

  test('answers SESSION_ERROR when its session was let go, and starts again with a reset', async () => {
    const { say, wait, table } = await connect()
    await say({ type: 'reset', data: {} })
    wait(601)
    table.reap()
    const lost = await say({ type: 'step', data: { action: 'inventory' } })
    expect(lost).toMatchObject({ type: 'error', data: { code: 'SESSION_ERROR' } })
    expect(await say({ type: 'reset', data: {} })).toMatchObject({ type: 'observation' })
  })

  test('answers EXECUTION_ERROR to a step after the end', async () => {
    const script = scriptedDefinition('toy', [{ id: 'toy-1', type: 'x' }], {
      opening: 'Go.',
      answers: { win: { observation: 'Won.', reward: 1, done: true } },
      actions: [],
    })
    const { say } = await connect({ definitions: [script] }, 'toy')
    await say({ type: 'reset', data: {} })
    const step = () => say({ type: 'step', data: { action: 'win' } })
    expect(await step()).toMatchObject({ data: { reward: 1, done: true, observation: { progress: 1 } } })
    expect(await step()).toMatchObject({ type: 'error', data: { code: 'EXECUTION_ERROR' } })
  })

  test('answers FACTORY_ERROR when an episode cannot be opened for an internal reason, which only the log shows', async () => {
    const script = scriptedDefinition('toy', [{ id: 'toy-1', type: 'x' }], {
      opening: '',
      answers: {},
      actions: [],
    })
    const broken = {
      ...script,
      open: async () => ({ ...(await script.open(null)), open: () => Promise.reject(new Error('a secret')) }),
    }
    const { say, logged } = await connect({ definitions: [broken] }, 'toy')
    const answer = await say({ type: 'reset', data: {} })
    expect(answer).toMatchObject({ type: 'error', data: { code: 'FACTORY_ERROR' } })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(logged).toEqual(['openenv.failed'])
  })

  test('answers MCP as an environment without tools', async () => {
    const { say } = await connect()
    const list = await say({ type: 'mcp', data: { jsonrpc: '2.0', id: 5, method: 'tools/list' } })
    expect(list).toEqual({
      type: 'mcp',
      data: { jsonrpc: '2.0', id: 5, error: { code: -32603, message: 'Environment does not support MCP' } },
    })
  })
})
