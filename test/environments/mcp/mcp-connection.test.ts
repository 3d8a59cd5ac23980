import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Hono } from 'hono'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { McpConnection } from '../../../shared/environments/mcp/mcp-connection.ts'
import { longestOutsideAnswer } from '../../../shared/environments/tools/bounded-response.ts'
import { serveApp } from '../../support/serve-app.ts'

interface Asked {
  id: number
  method: string
  params: { protocolVersion?: string }
}

/** A server that starts as one should and then answers as the script says; what it was asked is kept. */
async function serveScript(answer: (asked: Asked) => Response | Promise<Response>) {
  const methods: string[] = []
  const app = new Hono()
  app.all('/mcp', async (context) => {
    if (context.req.method !== 'POST') {
      methods.push(context.req.method)
      return new Response(null, { status: 405 })
    }
    const asked = (await context.req.json()) as Asked
    methods.push(asked.method)
    if (asked.method !== 'initialize') return answer(asked)
    const { protocolVersion } = asked.params
    return Response.json(
      result(asked, {
        protocolVersion,
        capabilities: { tools: {} },
        serverInfo: { name: 'script', version: '1' },
      }),
    )
  })
  const server = { address: `${await serveApp(app)}/mcp`, header_variables: {} }
  return {
    methods,
    open: (signal: AbortSignal) => McpConnection.open({ id: 'lab', server, folder: '.' }, signal),
  }
}

function result({ id }: Asked, content: object) {
  return { jsonrpc: '2.0', id, result: content }
}

const accepted = () => new Response(null, { status: 202 })

test('opening ends with its signal, also where the server takes a notification and says nothing', async () => {
  const leaving = new AbortController()
  const { open } = await serveScript(({ method }) => {
    if (method === 'notifications/initialized') setTimeout(() => leaving.abort(new Error('left')), 50)
    return new Promise(() => undefined)
  })
  await expect(open(leaving.signal)).rejects.toThrow('left')
})

test('an answer that is too long is a lost session at once, also in a stream of events', async () => {
  const text = 'a'.repeat(longestOutsideAnswer)
  const { open } = await serveScript((asked) => {
    if (asked.method === 'notifications/initialized') return accepted()
    const message = JSON.stringify(result(asked, { content: [{ type: 'text', text }] }))
    return new Response(`event: message\ndata: ${message}\n\n`, {
      headers: { 'content-type': 'text/event-stream' },
    })
  })
  const { signal } = new AbortController()
  const connection = await open(signal)
  await expect(connection.call('shout', {}, signal)).rejects.toMatchObject({
    name: 'SessionLost',
    message: expect.stringContaining('The answer is longer than 16777216 bytes.'),
  })
  await connection.close()
})

describe('the status 400', () => {
  const refuse = (message: string) =>
    Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 400 })
  const unknown = 'Bad Request: No valid session ID provided'

  test.each([
    [unknown, { name: 'SessionLost' }],
    ['Bad Request: Parse error', { code: 'endpoint_failed' }],
  ])('with %j in a session is %j', async (message, error) => {
    const { open } = await serveScript(({ method }) =>
      method === 'notifications/initialized' ? accepted() : refuse(message),
    )
    const { signal } = new AbortController()
    const connection = await open(signal)
    await expect(connection.call('greet', {}, signal)).rejects.toMatchObject(error)
    await expect(connection.listTools(signal)).rejects.toMatchObject(error)
    await connection.close()
  })

  test('before there is a session is a refusal', async () => {
    const { open } = await serveScript(() => refuse(unknown))
    await expect(open(new AbortController().signal)).rejects.toMatchObject({ code: 'endpoint_failed' })
  })
})

test('no stream without an end is asked for', async () => {
  const { methods, open } = await serveScript((asked) =>
    asked.method === 'tools/list' ? Response.json(result(asked, { tools: [] })) : accepted(),
  )
  const { signal } = new AbortController()
  const connection = await open(signal)
  expect(await connection.listTools(signal)).toEqual([])
  expect(methods).not.toContain('GET')
  await connection.close()
})

test('what has been answered is not called off later', async () => {
  const { methods, open } = await serveScript((asked) =>
    asked.method === 'notifications/initialized'
      ? accepted()
      : Response.json(result(asked, { content: [], tools: [] })),
  )
  const leaving = new AbortController()
  const connection = await open(leaving.signal)
  await connection.listTools(leaving.signal)
  await connection.call('greet', {}, leaving.signal)
  leaving.abort()
  await connection.listTools(new AbortController().signal)
  expect(methods).toEqual([
    'initialize',
    'notifications/initialized',
    'tools/list',
    'tools/call',
    'tools/list',
  ])
  await connection.close()
})

test('a server that reads nothing ends with the process that plays it, also where that is killed', async () => {
  const guard = join(import.meta.dirname, '../../../shared/environments/mcp/stdio-guard.ts')
  const deaf = 'console.log(process.pid); setInterval(() => undefined, 1000)'
  const script = `
    const { spawn } = require('node:child_process')
    const command = [${JSON.stringify(guard)}, process.execPath, '-e', ${JSON.stringify(deaf)}]
    const { stdin, stdout } = spawn(process.execPath, command, { stdio: ['pipe', 'pipe', 'inherit'] })
    // More than pipes hold: the end behind it is never read.
    stdin.write('x'.repeat(1_000_000))
    stdout.pipe(process.stdout)`
  const player = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(player.stdout, 'data')) as [Buffer]
  const pid = Number(String(line))
  onTestFinished(() => {
    player.kill('SIGKILL')
    if (isAlive(pid)) process.kill(pid, 'SIGKILL')
  })
  expect(isAlive(pid)).toBe(true)
  player.kill('SIGKILL')
  await expect.poll(() => isAlive(pid)).toBe(false)
})

test('no part of a secret that the server wrote before it left is shown', async () => {
  vi.stubEnv('TEST_MCP_SECRET', 'Sesame-open-the-door-0123456789')
  onTestFinished(() => {
    vi.unstubAllEnvs()
  })
  const script = `console.error('x'.repeat(285) + process.env.TEST_MCP_SECRET); process.exit(2)`
  const server = { command: [process.execPath, '-e', script], folder: '.', variables: ['TEST_MCP_SECRET'] }
  const opening = McpConnection.open({ id: 'lab', server, folder: '.' }, new AbortController().signal)
  const error = await opening.catch((reason: Error) => reason)
  expect(error).toMatchObject({ message: expect.stringContaining('It wrote: xxx') })
  expect(String(error)).not.toContain('Sesame')
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
