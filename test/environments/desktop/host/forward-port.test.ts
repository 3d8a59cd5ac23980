import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { forwardPort } from '../../../../shared/environments/desktop/host/forward-port.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

/** A server at a Unix socket; of ports it lets 80 through, to what says everything twice. */
async function openSocket(): Promise<string> {
  const path = join(await temporaryFolder(), 'api.sock')
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/espalier/port/')) response.writeHead(502).end()
    else request.pipe(response)
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket) => {
    if (request.url !== '/espalier/port/80') {
      socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n')
      return
    }
    // With the head comes what the program at the port says first.
    socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\nhello ')
    socket.on('data', (part) => socket.write(Buffer.concat([part, part])))
    socket.on('end', () => socket.end())
  })
  server.listen(path)
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
  })
  return path
}

const open = async (path: string, within?: number) => {
  const forwarded = await forwardPort(path, within)
  onTestFinished(() => forwarded.close())
  return forwarded
}

test('what is asked at the port is asked at the socket, whole, and many at once', async () => {
  const { port } = await open(await openSocket())
  const bodies = Array.from({ length: 20 }, (_, index) => `${index}`.repeat(50_000))
  const answers = await Promise.all(
    bodies.map(async (body) => (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })).text()),
  )
  expect(answers).toEqual(bodies)
})

test('a port within is reached through the socket, and what is not let through is closed', async () => {
  const path = await openSocket()
  const read = async (port: number) => {
    const socket = connect(port, '127.0.0.1')
    socket.end('one ')
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    socket.on('error', () => undefined)
    await once(socket, 'close')
    return Buffer.concat(parts).toString()
  }
  expect(await read((await open(path, 80)).port)).toBe('hello one one ')
  expect(await read((await open(path, 81)).port)).toBe('')
})

test('a socket that is not there ends connections, and closing ends those that are open', async () => {
  const nowhere = await open(join(await temporaryFolder(), 'none.sock'))
  await expect(fetch(`http://127.0.0.1:${nowhere.port}/`)).rejects.toThrow()
  const forwarded = await forwardPort(await openSocket())
  const socket = connect(forwarded.port, '127.0.0.1')
  await once(socket, 'connect')
  socket.on('error', () => undefined)
  const closed = once(socket, 'close')
  await forwarded.close()
  await closed
  await expect(fetch(`http://127.0.0.1:${forwarded.port}/`)).rejects.toThrow()
})
