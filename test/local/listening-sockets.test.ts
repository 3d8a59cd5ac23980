import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { bindSockets, closeSocket } from '../../local/listening-sockets.ts'

async function open(port = 0) {
  const server = createServer((_, response) => response.end('well'))
  const sockets = await bindSockets(server, { host: '127.0.0.1', port })
  const close = async () => {
    server.closeAllConnections()
    await Promise.all([closeSocket(server), sockets.close()])
  }
  return { server, port: (server.address() as AddressInfo).port, close }
}

test('connections that come together are accepted several a turn', async () => {
  const { server, port, close } = await open()
  onTestFinished(close)
  let accepted = 0
  const perTurn: number[] = []
  const { promise, resolve } = Promise.withResolvers<void>()
  server.on('connection', () => {
    accepted += 1
    if (accepted === 64) resolve()
  })
  const clients = Array.from({ length: 64 }, () => connect({ host: '127.0.0.1', port }))
  const count = () => {
    perTurn.push(accepted)
    if (accepted < 64) setImmediate(count)
  }
  setImmediate(count)
  await promise
  for (const client of clients) client.destroy()
  const steps = perTurn.map((sum, turn) => sum - (perTurn[turn - 1] ?? 0))
  // Other systems than Linux spread no connections.
  if (process.platform === 'linux') expect(Math.max(...steps)).toBeGreaterThan(1)
})

test('every connection is answered, whichever socket accepted it', async () => {
  const { port, close } = await open()
  onTestFinished(close)
  const answers = await Promise.all(
    Array.from({ length: 40 }, async () => (await fetch(`http://127.0.0.1:${port}/`)).text()),
  )
  expect(new Set(answers)).toEqual(new Set(['well']))
})

test('a port that another service shares is in use', async () => {
  const { port, close } = await open()
  await expect(open(port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await close()
  const next = await open(port)
  await next.close()
})

test('a port of a socket that shares nothing is in use', async () => {
  const taken = createNetServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  onTestFinished(() => closeSocket(taken))
  await expect(open((taken.address() as AddressInfo).port)).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('a closed server accepts on none of its sockets', async () => {
  const { port, close } = await open()
  await close()
  for (let tried = 0; tried < 20; tried += 1)
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow()
})

test('of processes that bind one port at once, one gets it', async () => {
  const file = join(import.meta.dirname, 'bind-when-told.ts')
  const processes = Array.from({ length: 3 }, () => fork(file, { stdio: 'inherit' }))
  onTestFinished(async () => {
    const ended = Promise.all(processes.map((each) => once(each, 'exit')))
    for (const each of processes) each.disconnect()
    await ended
  })
  await Promise.all(processes.map((each) => once(each, 'message')))
  for (let round = 0; round < 25; round += 1) {
    const { port, close } = await open()
    await close()
    const tell = async (message: unknown) => {
      const answers = processes.map(async (each) => (await once(each, 'message'))[0])
      for (const each of processes) each.send(message as object)
      return Promise.all(answers)
    }
    expect((await tell({ bind: port })).toSorted()).toEqual(['EADDRINUSE', 'EADDRINUSE', 'bound'])
    await tell('close')
  }
})
