import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { listen } from '../../local/listen.ts'
import { openTestApi } from '../functions/api/open-test-api.ts'

const usual = { headers: 100, body: { bytes: 1000, every: 100 }, idle: 1000 }
const host = '127.0.0.1'

async function openTestServer(limits = usual) {
  const closing = new AbortController()
  const api = openTestApi({ closing: closing.signal })
  const server = await listen(api.app, { host, port: 0 }, undefined, limits)
  onTestFinished(async () => {
    closing.abort()
    await server.close(0)
  })
  return { ...api, port: Number(new URL(server.address).port) }
}

/** Sends a piece now and then, and answers all that comes back until the server closes the connection. */
async function trickle(port: number, start: string, piece: string): Promise<string> {
  const socket = connect(port, host)
  let answer = ''
  socket.on('data', (data) => {
    answer += data.toString('utf8')
  })
  socket.on('error', () => undefined)
  socket.write(start)
  const timer = setInterval(() => socket.write(piece), 20)
  await new Promise((resolve) => socket.once('close', resolve))
  clearInterval(timer)
  return answer
}

const head = (more: string) =>
  `POST /v1/runs HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\n${more}\r\n\r\n`

test.each([
  ['headers that trickle in', `GET /health HTTP/1.1\r\nHost: ${host}\r\n`, 'A: b\r\n'],
  ['a body that trickles in', head('Content-Length: 1000000'), '{'],
  ['a body in chunks that trickles in', head('Transfer-Encoding: chunked'), '1\r\n{\r\n'],
])('%s are closed with 408', async (_, start, piece) => {
  const { port, services, logged } = await openTestServer()
  const answer = await trickle(port, start, piece)
  expect(answer).toMatch(/^HTTP\/1\.1 408 /)
  expect(answer).toContain('"code":"request_timeout"')
  expect(answer).toContain('within 0.1 seconds, and its body with at least 1000 bytes in each 0.1 seconds')
  expect(services.calls).toEqual([])
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
})

test('who listens to events for longer than any of the limits goes on listening', async () => {
  // Its own request comes within them, even if the process stands still for a moment.
  const limits = { headers: 500, body: { bytes: 1000, every: 500 }, idle: 500 }
  const { addRun, port } = await openTestServer(limits)
  const { id } = addRun()
  const socket = connect(port, host)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.write(`GET /v1/runs/${id}/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  await once(socket, 'data')
  await new Promise((resolve) => setTimeout(resolve, 3 * limits.headers + limits.idle))
  expect([socket.closed, socket.readableEnded]).toEqual([false, false])
})

test.each([
  ['a body', `${head('Content-Length: 1000')}{"a":`],
  ['a body in chunks', `${head('Transfer-Encoding: chunked')}5\r\n{"a":\r\n`],
  ['a stream of events', `GET /v1/runs/run-1/events HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
])('a client that hangs up in %s leaves no error in the log', async (_, text) => {
  const { addRun, port, logged } = await openTestServer()
  addRun()
  const socket = connect(port, host)
  socket.on('error', () => undefined)
  socket.write(text)
  await new Promise((resolve) => setTimeout(resolve, 50))
  socket.resetAndDestroy()
  await new Promise((resolve) => setTimeout(resolve, 50))
  expect(logged.filter(({ level }) => level === 'error')).toEqual([])
})
