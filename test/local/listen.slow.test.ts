import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../local/listen.ts'
import { errorBodySchema } from '../../shared/core/contracts/error-body.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { validRun } from '../functions/api/fake-answers.ts'
import { openTestApi, readError } from '../functions/api/open-test-api.ts'
import { readEvents } from '../functions/api/read-events.ts'

const host = '127.0.0.1'

async function openTestServer() {
  const closing = new AbortController()
  const api = openTestApi({ closing: closing.signal })
  const server = await listen(api.app, { host, port: 0 })
  const close = async () => {
    closing.abort()
    await server.close(1000)
  }
  onTestFinished(() => (closing.signal.aborted ? undefined : close()))
  return { ...api, address: server.address, close }
}

/** Sends bytes as they are and answers all that comes back until the server closes. */
async function exchange(address: string, pieces: (string | Buffer)[]): Promise<string> {
  const socket = connect(Number(new URL(address).port), host)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString('utf8')
  })
  for (const piece of pieces) socket.write(piece)
  await once(socket, 'close')
  return answer
}

test('a body of 10 MB gets a clean 413, with and without its length told', async () => {
  const { address, services } = await openTestServer()
  const body = JSON.stringify({ ...validRun, name: 'x'.repeat(10 * 1024 * 1024) })
  const headers = { 'Content-Type': 'application/json' }
  for (let round = 0; round < 3; round += 1) {
    const told = await fetch(`${address}/v1/runs`, { method: 'POST', headers, body })
    expect(await readError(told)).toMatchObject({ status: 413, code: 'body_too_large' })
    const stream = new Blob([body]).stream()
    const streamed = { method: 'POST', headers, body: stream, duplex: 'half' } as RequestInit
    const untold = await fetch(`${address}/v1/runs`, streamed)
    expect(await readError(untold)).toMatchObject({ status: 413, code: 'body_too_large' })
  }
  expect(services.calls).toEqual([])
  expect((await fetch(`${address}/health`)).status).toBe(200)
})

test('a client on a plain socket gets the 413 too', async () => {
  const { address } = await openTestServer()
  const size = 10 * 1024 * 1024
  const head = `POST /v1/runs HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${size}\r\nConnection: close\r\n\r\n`
  const answer = await exchange(address, [head, Buffer.alloc(size, 'x')])
  expect(answer).toMatch(/^HTTP\/1\.1 413 /)
  expect(answer).toContain('"code":"body_too_large"')
})

test.each([
  ['told', { 'Content-Length': String(JSON.stringify(validRun).length) }],
  ['untold', { 'Transfer-Encoding': 'chunked' }],
])('a body whose length is %s is read', async (_, headers) => {
  const { address } = await openTestServer()
  const body = JSON.stringify(validRun)
  const sent = 'Content-Length' in headers ? body : `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`
  const lines = { Host: host, 'Content-Type': 'application/json', Connection: 'close', ...headers }
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  const answer = await exchange(address, [`POST /v1/runs HTTP/1.1\r\n${head.join('')}\r\n`, sent])
  expect(answer).toMatch(/^HTTP\/1\.1 201 /)
})

test('event streams go on where a broken connection left them', async () => {
  const { address, addRun, services } = await openTestServer()
  const { id } = addRun()
  services.addEvent(id, 'running')
  services.addEvent(id, 'paused')
  const first = readEvents(await fetch(`${address}/v1/runs/${id}/events`))
  expect((await first.next()).value).toMatchObject({ id: '1' })
  await first.return(undefined)
  services.addEvent(id, 'running')
  services.setStatus(id, 'succeeded')
  const ids: string[] = []
  const second = await fetch(`${address}/v1/runs/${id}/events`, { headers: { 'Last-Event-ID': '1' } })
  for await (const event of readEvents(second)) ids.push(event.id ?? event.event)
  expect(ids).toEqual(['2', '3', 'run', 'end'])
})

test('a client that disconnects stops the looking', async () => {
  const { address, addRun, services } = await openTestServer()
  const { id } = addRun()
  const leaving = new AbortController()
  const answer = await fetch(`${address}/v1/runs/${id}/events`, { signal: leaving.signal })
  await readEvents(answer).next()
  leaving.abort()
  // It looks every five milliseconds until the end of the connection has come to it.
  const looksMeanwhile = async () => {
    const before = services.calls.length
    await pause(100)
    return services.calls.length - before
  }
  await expect.poll(looksMeanwhile).toBe(0)
})

test('closing ends event streams and refuses new connections', async () => {
  const { address, addRun, close } = await openTestServer()
  const { id } = addRun()
  const events = readEvents(await fetch(`${address}/v1/runs/${id}/events`))
  await events.next()
  await Promise.all([
    close(),
    (async () => {
      for await (const _ of events);
    })(),
  ])
  await expect(fetch(`${address}/health`)).rejects.toThrow()
})

test('the docs page and all it loads are served', async () => {
  const { address } = await openTestServer()
  const page = await fetch(`${address}/`)
  expect(page.url).toBe(`${address}/docs`)
  const html = await page.text()
  const loaded = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path]) => String(path))
  expect(loaded.length).toBeGreaterThanOrEqual(5)
  for (const path of loaded) {
    const answer = await fetch(new URL(path, address))
    expect(answer.status, path).toBe(200)
    expect((await answer.arrayBuffer()).byteLength, path).toBeGreaterThan(100)
  }
})

test('a port in use is an error that says how to choose another', async () => {
  const { address, app } = await openTestServer()
  const { port } = new URL(address)
  const error = await listen(app, { host, port: Number(port) }).catch((reason: unknown) => reason)
  expect(EspalierError.isInstance(error)).toBe(true)
  expect(error).toMatchObject({ code: 'conflict', param: 'port' })
  expect(String(error)).toMatch(new RegExp(`Port ${port} .*--port`))
})

test('a host that is not of this machine is an error that says so', async () => {
  const { app } = openTestApi()
  const error = await listen(app, { host: '203.0.113.7', port: 0 }).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'invalid_request', param: 'host' })
})

test.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['a host that is none', 'GET /health HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n'],
])('%s is answered with an error in the shape of all others', async (_, request) => {
  const { address } = await openTestServer()
  const [head = '', body = ''] = (await exchange(address, [request])).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.1 400 /)
  expect(errorBodySchema.parse(JSON.parse(body)).error.code).toBe('invalid_request')
})

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
