import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { describe, expect, it } from 'vitest'
import { openClient } from '../../cli/open-client.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { RunEvent } from '../../shared/core/contracts/run-event.ts'
import { halfPlayedRun } from '../builders/runs.ts'

const address = 'http://127.0.0.1:1'

function clientOf(app: Hono, signal = new AbortController().signal) {
  return openClient({ address, fetcher: (url, init) => app.request(url, init), signal })
}

function event(sequence: number): RunEvent {
  return {
    type: 'run.status',
    sequence,
    created_at: '2026-01-01T00:00:00.000Z',
    status: 'running',
    reason: null,
  }
}

const { signal } = new AbortController()

describe('openClient', () => {
  it("throws the service's own message, code and field", async () => {
    const app = new Hono()
    app.post('/v1/runs', (context) => {
      const error = new EspalierError('unknown_environment', 'There is no environment "x".', {
        param: 'environment',
      })
      return context.json(error.toBody(), 400)
    })
    await expect(clientOf(app).createRun({}, 'key')).rejects.toMatchObject({
      name: 'ApiError',
      status: 400,
      code: 'unknown_environment',
      message: 'There is no environment "x".',
      param: 'environment',
    })
  })

  it('says what it can about an answer that is not the service’s', async () => {
    const app = new Hono()
    app.get('/v1/runs/:run', (context) => context.text('<html>\nBad Gateway', 502))
    await expect(clientOf(app).run('run-1')).rejects.toMatchObject({
      code: 'unexpected_answer',
      message: 'The service answered 502: <html>.',
    })
  })

  it('sends the body as JSON with the idempotency key, and escapes ids', async () => {
    const app = new Hono()
    app.post('/v1/runs', async (context) =>
      context.json({ got: await context.req.json(), key: context.req.header('Idempotency-Key') }, 201),
    )
    app.get('/v1/runs/:run', (context) => context.json({ id: context.req.param('run') }))
    const client = clientOf(app)
    expect(await client.createRun({ environment: 'textcraft' }, 'key-1')).toEqual({
      got: { environment: 'textcraft' },
      key: 'key-1',
    })
    expect(await client.run('../a b')).toEqual({ id: '../a b' })
  })

  it('follows a 307 to a signed address', async () => {
    const app = new Hono()
    app.get('/v1/runs/:run/episodes/:episode/tree', (context) =>
      context.redirect('/v1/files/tree.json?signature=1', 307),
    )
    app.get('/v1/files/tree.json', (context) => context.json({ signature: context.req.query('signature') }))
    expect(await clientOf(app).tree('run-1', 'ep-0000001')).toEqual({ signature: '1' })
  })

  it('gets what a 303 leads to, and sends no body there', async () => {
    const app = new Hono()
    app.post('/v1/reports/compare', (context) => context.redirect('/v1/files/comparison.json', 303))
    app.on(['GET', 'POST'], '/v1/files/comparison.json', async (context) =>
      context.json({
        method: context.req.method,
        type: context.req.header('Content-Type') ?? null,
        body: await context.req.text(),
      }),
    )
    expect(await clientOf(app).compare(['run-1', 'run-2'])).toEqual({ method: 'GET', type: null, body: '' })
  })

  it('shows its key to the service alone, not to where its answers lead', async () => {
    const seen: (string | undefined)[] = []
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.setHeader('Content-Type', 'application/json').end('{}')
    })
    await once(elsewhere.listen(0, '127.0.0.1'), 'listening')
    const { port } = elsewhere.address() as AddressInfo
    const app = new Hono()
    app.get('/v1/runs/:run/episodes/:episode/tree', (context) => {
      seen.push(context.req.header('Authorization'))
      return context.redirect(`http://127.0.0.1:${port}/tree.json`, 307)
    })
    const client = openClient({
      address,
      fetcher: (url, init) => app.request(url, init),
      signal: new AbortController().signal,
      credentials: { key: 'esp_key' },
    })
    await client.tree('run-1', 'ep-0000001')
    elsewhere.close()
    expect(seen).toEqual(['Bearer esp_key', undefined])
  })

  it.each([
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
  ] as const)("explains a gateway's refusal of a key: %s %s", async (status, message) => {
    const app = new Hono()
    app.get('/v1/runs', (context) => context.json({ message }, status))
    await expect(clientOf(app).runs({})).rejects.toMatchObject({ status, code: 'invalid_key' })
  })

  it("takes another server's 403 for no refusal of a key", async () => {
    const app = new Hono()
    app.get('/v1/runs', (context) => context.text('The office network blocks this address.', 403))
    await expect(clientOf(app).runs({})).rejects.toMatchObject({ status: 403, code: 'unexpected_answer' })
  })

  it('gives up on redirects that go round', async () => {
    const app = new Hono()
    app.get('/health', (context) => context.redirect('/health', 307))
    await expect(clientOf(app).health()).rejects.toThrow('too many redirects')
  })

  it('names what to start when no service answers', async () => {
    const client = openClient({ address, fetcher: fetch, signal: new AbortController().signal })
    await expect(client.health()).rejects.toThrow(/127\.0\.0\.1:1.*espalier serve/)
  })

  it('sends a request that has a key again when the connection breaks, and no other', async () => {
    let tries = 0
    const broken = (): never => {
      tries++
      throw new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })
    }
    const client = openClient({ address, fetcher: broken, signal: new AbortController().signal })
    await expect(client.createRun({}, 'key')).rejects.toThrow('ECONNRESET')
    expect(tries).toBe(3)
    await expect(client.changeRun('run-1', 'cancel')).rejects.toThrow('ECONNRESET')
    expect(tries).toBe(4)
  })

  it('opens a dropped event stream again where it stopped, and gives every event once', async () => {
    const asked: (string | undefined)[] = []
    const app = new Hono()
    app.get('/v1/runs/:run/events', (context) => {
      const last = context.req.header('Last-Event-ID')
      asked.push(last)
      if (asked.length === 2) return context.text('restarting', 503)
      return streamSSE(context, async (stream) => {
        const from = Number(last ?? 0)
        for (let sequence = from + 1; sequence <= from + 2; sequence++) {
          await stream.writeSSE({
            id: String(sequence),
            event: 'run.status',
            data: JSON.stringify(event(sequence)),
          })
          await stream.writeSSE({ event: 'run', data: JSON.stringify(halfPlayedRun()) })
        }
        await stream.writeSSE({ event: 'of a later version', data: '{}' })
        if (asked.length === 3) {
          const { error } = new EspalierError('internal', 'The stream broke.').toBody()
          await stream.writeSSE({ event: 'error', data: JSON.stringify({ error }) })
        }
        // Broken off inside an event.
        await stream.write(`id: ${from + 3}\ndata: {"type"`)
      })
    })
    const sequences: number[] = []
    for await (const message of clientOf(app).events('run-1', { signal })) {
      if ('event' in message) sequences.push(message.event.sequence)
      if (sequences.at(-1) === 5) break
    }
    expect(sequences).toEqual([1, 2, 3, 4, 5])
    expect(asked).toEqual([undefined, '2', '2', '4'])
  })

  it('does not open a stream again that is refused', async () => {
    const app = new Hono()
    app.get('/v1/runs/:run/events', (context) =>
      context.json(new EspalierError('not_found', 'There is no run "run-1".').toBody(), 404),
    )
    await expect(clientOf(app).events('run-1', { signal }).next()).rejects.toThrow('There is no run "run-1".')
  })

  it('ends its streams when the command is interrupted, and refuses its calls', async () => {
    const app = new Hono()
    app.get('/v1/runs/:run/events', (context) =>
      streamSSE(context, async (stream) => {
        await stream.writeSSE({ id: '1', event: 'run.status', data: JSON.stringify(event(1)) })
        await stream.sleep(10_000)
      }),
    )
    app.get('/v1/runs/:run', (context) => context.json(halfPlayedRun()))
    const abort = new AbortController()
    const client = clientOf(app, abort.signal)
    for await (const _ of client.events('run-1', { signal: abort.signal })) abort.abort()
    await expect(client.run('run-1')).rejects.toMatchObject({ exitCode: 130 })
  })
})
