import { once } from 'node:events'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { readHostSettings } from '../../../../containers/env-host/host-settings.ts'
import { closeSockets, createSocketServer } from '../../../../containers/env-host/openenv/openenv-socket.ts'
import { servePure } from '../../../../containers/env-host/serve-pure.ts'
import { ServedEnvironments } from '../../../../containers/env-host/served-environments.ts'
import type { ServedEnvironment } from '../../../../containers/env-host/session-backend.ts'
import { startEnvHost } from '../../../../containers/env-host/start-env-host.ts'
import { textcraftDefinition } from '../../../../shared/environments/textcraft/definition.ts'
import { serveApp } from '../../../support/serve-app.ts'
import { facadeHost } from '../facade-host.ts'

const base = '/openenv/textcraft'

describe("OpenEnv's routes", () => {
  test('describe the environment', async () => {
    const { get } = await facadeHost()
    expect(await (await get(`${base}/health`)).json()).toEqual({ status: 'healthy' })
    const metadata = await (await get(`${base}/metadata`)).json()
    const fields = ['author', 'description', 'documentation_url', 'name', 'readme_content', 'version']
    expect(Object.keys(metadata as object).sort()).toEqual(fields)
    expect(metadata).toMatchObject({
      name: 'textcraft',
      readme_content: expect.stringContaining('inventory'),
    })
    expect(await (await get(`${base}/schema`)).json()).toMatchObject({
      action: { type: 'object', properties: { action: { type: 'string' } }, required: ['action'] },
      observation: { properties: { text: {}, done: {}, reward: {}, metadata: {} } },
      state: { properties: { episode_id: {}, step_count: {} } },
    })
    const openapi = await (await get(`${base}/openapi.json`)).json()
    expect(openapi).toMatchObject({
      info: { version: '1.0.0' },
      paths: { '/reset': {}, '/step': {}, '/state': {} },
    })
    expect((await get(`${base}/ws`)).status).toBe(426)
    expect((await get('/openenv/nowhere/health')).status).toBe(404)
  })

  test('say that a host which leaves is degraded', async () => {
    const { get, table } = await facadeHost()
    table.drain()
    expect(await (await get(`${base}/health`)).json()).toEqual({ status: 'degraded' })
  })

  test('play an episode for one request, and keep no session', async () => {
    const { app, get, post, table } = await facadeHost()
    for (const reset of [
      await post(`${base}/reset`, { seed: 3 }),
      await app.request(`${base}/reset`, { method: 'POST' }),
    ]) {
      expect(await reset.json()).toEqual({
        observation: { text: expect.stringContaining('Goal: craft'), valid: true, progress: 0 },
        reward: null,
        done: false,
      })
    }
    const step = await post(`${base}/step`, { action: { action: 'inventory' }, timeout_s: 3, more: 1 })
    expect(await step.json()).toEqual({
      observation: { text: 'Inventory: You are not carrying anything.', valid: true, progress: 0 },
      reward: 0,
      done: false,
    })
    expect(await (await get(`${base}/state`)).json()).toMatchObject({ episode_id: null, step_count: 0 })
    expect(table.health().sessions).toBe(0)
    expect((await post(`${base}/step`, { action: { move: 'up' } })).status).toBe(422)
    expect((await post(`${base}/reset`, { task: 'nowhere' })).status).toBe(400)
  })

  test('answer JSON-RPC', async () => {
    const { post, app } = await facadeHost()
    const empty = await post(`${base}/mcp`, {})
    expect(empty.status).toBe(200)
    expect(await empty.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } })
    const unknown = await post(`${base}/mcp`, { jsonrpc: '2.0', id: 'a', method: 'fly' })
    expect(await unknown.json()).toMatchObject({ id: 'a', error: { code: -32601 } })
    const headers = { 'content-type': 'application/json' }
    const torn = await app.request(`${base}/mcp`, { method: 'POST', headers, body: '{' })
    expect(await torn.json()).toMatchObject({ error: { code: -32700 } })
  })

  test('stand at the root as well where a setting says so', async () => {
    const { get, post } = await facadeHost({ roots: { agentgym: null, openenv: 'textcraft' } })
    expect(await (await get('/metadata')).json()).toMatchObject({ name: 'textcraft' })
    expect((await post('/reset', {})).status).toBe(200)
    await expect(facadeHost({ roots: { agentgym: 'nowhere', openenv: null } })).rejects.toThrow(
      'ESPALIER_HOST_AGENTGYM',
    )
    const both = { agentgym: 'textcraft', openenv: 'textcraft' }
    await expect(facadeHost({ roots: both })).rejects.toThrow('one of them')
  })
})

describe('a WebSocket', () => {
  async function open(
    headers: Record<string, string> = {},
    change?: (environment: ServedEnvironment) => ServedEnvironment,
  ) {
    const host = await facadeHost({ ...(change && { change }) })
    const sockets = createSocketServer()
    const address = await serveApp(host.app, sockets)
    const socket = new WebSocket(`${address.replace('http', 'ws')}${base}/ws`, { headers })
    return { ...host, sockets, socket }
  }

  test('is answered in the order of its messages, however fast they come', async () => {
    const { socket } = await open()
    await once(socket, 'open')
    const received: { type: string; data: { reward?: number | null } }[] = []
    const all = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        received.push(JSON.parse(String(data)))
        if (received.length === 402) resolve()
      })
    })
    socket.send(JSON.stringify({ type: 'reset', data: {} }))
    for (let step = 0; step < 200; step += 1) {
      socket.send(JSON.stringify({ type: 'step', data: { action: 'inventory' } }))
      socket.send(JSON.stringify({ type: 'nothing' }))
    }
    socket.send(JSON.stringify({ type: 'state' }))
    await all
    const types = received.map(({ type }) => type)
    expect(types.slice(0, 5)).toEqual(['observation', 'observation', 'error', 'observation', 'error'])
    expect(received.at(-1)).toMatchObject({ type: 'state', data: { step_count: 200 } })
    socket.terminate()
  })

  test('answers pings during a step, unless more than a few messages wait; answers keep their order', async () => {
    const property = fc.asyncProperty(fc.integer({ min: 0, max: 30 }), async (waiting) => {
      const begun = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const held = () => {
        begun.resolve()
        return end.promise
      }
      const { socket, sockets } = await open({}, (environment) => stepsAfter(environment, held))
      await once(socket, 'open')
      socket.send(JSON.stringify({ type: 'reset' }))
      await once(socket, 'message')
      const received: string[] = []
      const all = new Promise<void>((resolve) => {
        socket.on('message', (data) => {
          const { type, data: found } = JSON.parse(String(data))
          received.push(type === 'error' ? found.message : type)
          if (received.length === waiting + 1) resolve()
        })
      })
      socket.send(JSON.stringify({ type: 'step', data: { action: 'inventory' } }))
      await begun.promise
      const sent = Array.from({ length: waiting }, (_, at) => `nothing-${at}`)
      for (const type of sent) socket.send(JSON.stringify({ type }))
      const [serving] = [...sockets.clients]
      if (waiting <= 8) {
        // The first may come in one piece with the messages, which a paused socket still reads to its end.
        for (const _ of [1, 2]) {
          socket.ping()
          await once(socket, 'pong')
        }
      } else {
        await expect.poll(() => serving?.isPaused).toBe(true)
      }
      expect(received).toEqual([])
      end.resolve()
      await all
      expect(received).toEqual(['observation', ...sent.map((type) => `Unknown message type: ${type}`)])
      socket.ping()
      await once(socket, 'pong')
      socket.terminate()
    })
    await fc.assert(property, { numRuns: 20, examples: [[0], [8], [9], [30]] })
  })

  test('gives its session back when it closes, or its client disappears', async () => {
    const { socket, table } = await open()
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'reset' }))
    await once(socket, 'message')
    expect(table.health().sessions).toBe(1)
    socket.terminate()
    await expect.poll(() => table.health().sessions).toBe(0)
    const other = await open()
    await once(other.socket, 'open')
    other.socket.send(JSON.stringify({ type: 'reset' }))
    other.socket.send(JSON.stringify({ type: 'close' }))
    const [code] = await once(other.socket, 'close')
    expect(code).toBe(1000)
    await expect.poll(() => other.table.health().sessions).toBe(0)
  })

  test('is closed when the host leaves', async () => {
    const { socket, sockets } = await open()
    await once(socket, 'open')
    closeSockets(sockets)
    const [code] = await once(socket, 'close')
    expect(code).toBe(1001)
  })

  test('does not keep a host from leaving', async () => {
    const settings = readHostSettings({})
    const served = await servePure(textcraftDefinition)
    const environments = new ServedEnvironments(served === null ? [] : [served])
    const host = await startEnvHost(settings, environments, () => undefined)
    const socket = new WebSocket(`ws://127.0.0.1:${host.port}${base}/ws`)
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'reset' }))
    await once(socket, 'message')
    const closed = once(socket, 'close')
    await host.drain('asked')
    expect((await closed)[0]).toBe(1001)
  })

  test('takes an action of 1 MB, and closes at a message that is too long', async () => {
    const { socket } = await open()
    await once(socket, 'open')
    socket.send(JSON.stringify({ type: 'reset' }))
    await once(socket, 'message')
    socket.send(JSON.stringify({ type: 'step', data: { action: 'x'.repeat(1_000_000) } }))
    const [answer] = await once(socket, 'message')
    expect(JSON.parse(String(answer))).toMatchObject({ data: { observation: { valid: false } } })
    socket.send('x'.repeat(5_000_000))
    const [code] = await once(socket, 'close')
    expect(code).toBe(1009)
  })

  test('does not open for a web page', async () => {
    const { socket } = await open({ origin: 'http://elsewhere.example' })
    const [error] = (await once(socket, 'error')) as [Error]
    expect(error.message).toContain('403')
  })
})

function stepsAfter(environment: ServedEnvironment, held: () => Promise<void>): ServedEnvironment {
  return {
    ...environment,
    async open(request) {
      const backend = await environment.open(request)
      return {
        reset: () => backend.reset(),
        step: async (action) => {
          await held()
          return backend.step(action)
        },
        validActions: () => backend.validActions(),
        close: () => backend.close(),
      }
    },
  }
}
