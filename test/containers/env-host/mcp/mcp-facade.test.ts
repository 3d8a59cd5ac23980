import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { expect, onTestFinished, test } from 'vitest'
import { textcraft } from '../../../../shared/environments/textcraft/textcraft.ts'
import { serveApp } from '../../../support/serve-app.ts'
import { facadeHost } from '../facade-host.ts'

async function connect(options: Parameters<typeof facadeHost>[0] = {}) {
  const host = await facadeHost(options)
  const url = new URL(`${await serveApp(host.app)}/mcp/textcraft`)
  const join = async () => {
    const transport = new StreamableHTTPClientTransport(url)
    const client = new Client({ name: 'test', version: '1' })
    await client.connect(transport as Transport)
    onTestFinished(() => client.close())
    return { client, transport }
  }
  return { ...host, url, join }
}

test("the SDK's own client plays a host by its two tools", async () => {
  const { join, table, errors } = await connect()
  const { client, transport } = await join()
  expect(client.getInstructions()).toContain(textcraft.description)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['reset', 'step'])
  const early = await client.callTool({ name: 'step', arguments: { action: 'inventory' } })
  expect(early).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('Reset') }] })
  const start = textcraft.reset('textcraft-0042', 0)
  const reset = await client.callTool({ name: 'reset', arguments: { task: 'textcraft-0042' } })
  expect(reset).toMatchObject({
    content: [{ type: 'text', text: start.observation }],
    structuredContent: {
      observation: start.observation,
      reward: 0,
      total: 0,
      done: false,
      valid: true,
      progress: 0,
    },
  })
  const { observation } = textcraft.step(start.state, 'inventory')
  expect(await client.callTool({ name: 'step', arguments: { action: 'inventory' } })).toMatchObject({
    structuredContent: { observation, valid: true },
  })
  expect(await client.callTool({ name: 'reset', arguments: { task: 'nowhere' } })).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('no task "nowhere"') }],
  })
  expect(await client.callTool({ name: 'step', arguments: { move: 1 } })).toMatchObject({ isError: true })
  await transport.terminateSession()
  expect(table.health().sessions).toBe(0)
  expect(errors).toEqual([])
})

test('each client has an episode of its own, and a full host says so', async () => {
  const { join, table } = await connect({ slots: 2 })
  const [one, other] = [await join(), await join()]
  await expect(join()).rejects.toMatchObject({ code: 503 })
  for (const { client } of [one, other]) await client.callTool({ name: 'reset', arguments: {} })
  expect(table.health().sessions).toBe(2)
  await one.transport.terminateSession()
  const { client } = await join()
  expect(await client.callTool({ name: 'reset', arguments: {} })).not.toHaveProperty('isError')
  await one.client.close()
})

test('what is no session or no JSON is refused in the shapes of MCP', async () => {
  const { post, get, app } = await connect()
  const initialise = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
  expect((await get('/mcp/textcraft')).status).toBe(405)
  expect((await post('/mcp/textcraft', initialise)).status).toBeGreaterThanOrEqual(400)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const broken = await app.request('/mcp/textcraft', { method: 'POST', headers, body: '{' })
  expect(await broken.json()).toMatchObject({ error: { code: -32700 } })
  const unknown = await app.request('/mcp/textcraft', {
    method: 'POST',
    headers: { ...headers, 'mcp-session-id': 'none' },
    body: JSON.stringify(initialise),
  })
  expect(unknown.status).toBe(404)
  const page = await app.request('/mcp/textcraft', {
    method: 'POST',
    headers: { ...headers, origin: 'https://evil.example.com' },
    body: JSON.stringify(initialise),
  })
  expect(page.status).toBe(403)
})
