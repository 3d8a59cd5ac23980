import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { addFileRoute } from '../../local/file-route.ts'
import { listen } from '../../local/listen.ts'
import type { RunEvent } from '../../shared/core/contracts/run-event.ts'
import { signAddress, verifySignature } from '../../shared/core/world/local/signed-address.ts'
import { openTestApi } from '../functions/api/open-test-api.ts'

const host = '127.0.0.1'
const secret = new Uint8Array(32).fill(7)
const now = 1_800_000_000_000
const megabyte = 2 ** 20
/** Bytes of what is asked for. The system itself buffers some megabytes of a connection. */
const whole = 512 * megabyte
const most = 32 * megabyte

/** A service with a large file and a run with many events, that counts the bytes that are read of either. */
async function openLargeServer() {
  const closing = new AbortController()
  const api = openTestApi({ closing: closing.signal })
  const read = { bytes: 0 }
  const piece = Buffer.alloc(megabyte, 'a')
  addFileRoute(api.app, {
    objects: {
      head: async (key) => ({ key, size: whole, etag: 'e1' }),
      async get(key, { start, end = whole - 1 } = { start: 0 }) {
        const body = piece.subarray(0, end - start + 1)
        read.bytes += body.length
        return { key, size: whole, etag: 'e1', content_type: null, body }
      },
    },
    verify: (address) => verifySignature(secret, address, now),
  })
  const { id } = api.addRun()
  const reason = 'a'.repeat(10_000)
  const eventAt = (sequence: number): RunEvent => {
    read.bytes += reason.length
    const created_at = '2026-11-21T09:00:00.000Z'
    return { type: 'run.status', sequence, created_at, status: 'running', reason }
  }
  Object.assign(api.services.runs, {
    events: async (_: string, { after, limit }: { after: number; limit: number }) =>
      after * reason.length >= whole
        ? []
        : Array.from({ length: limit }, (__, index) => eventAt(after + index + 1)),
  })
  const server = await listen(api.app, { host, port: 0 })
  onTestFinished(async () => {
    closing.abort()
    await server.close(0)
  })
  const paths = {
    file: signAddress(secret, { key: 'datasets/d/data-00001.jsonl.gz', file_name: null }, now / 1000 + 60),
    events: `/v1/runs/${id}/events`,
  }
  return { address: server.address, paths, read }
}

/** Asks for an answer, and reads nothing of it. */
async function ask(address: string, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(address).port), host)
  socket.on('error', () => undefined)
  onTestFinished(() => {
    socket.destroy()
  })
  socket.pause()
  await once(socket, 'connect')
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  return socket
}

/** Waits until nothing more is read. */
async function untilQuiet(read: { bytes: number }): Promise<number> {
  for (let before = -1; before !== read.bytes || before === 0; ) {
    before = read.bytes
    await delay(200)
  }
  return read.bytes
}

test.each(['file', 'events'] as const)(
  'of %s no more is read than a client takes, and others are answered',
  async (kind) => {
    const { address, paths, read } = await openLargeServer()
    const one = await ask(address, paths[kind])
    const first = await untilQuiet(read)
    expect(first).toBeLessThan(most)
    for (let more = 0; more < 4; more += 1) await ask(address, paths[kind])
    expect(await untilQuiet(read)).toBeLessThan(5 * most)
    expect((await fetch(`${address}/health`)).status).toBe(200)

    // It was only slow: what it takes now is read for it.
    const before = read.bytes
    let taken = 0
    one.on('data', (data) => {
      taken += data.length
    })
    one.resume()
    while (taken < 2 * most) await delay(10)
    expect(read.bytes).toBeGreaterThan(before)
  },
)
