import type { Server } from 'node:http'
import { createServer as createNetServer } from 'node:net'
import { bound, closeSocket } from './bound.ts'
import { whileBinding } from './while-binding.ts'

/**
 * Sockets that listen on the service's port. Node accepts one connection per socket and turn of the event loop, so
 * with one socket a new connection waits one turn for each earlier one.
 */
const socketsOfPort = 8

const tries = 5

interface Place {
  host: string
  port: number
}

export interface ListeningSockets {
  close(): Promise<void>
}

/**
 * Binds an HTTP server to a port, by several sockets if the system spreads connections among them, else by one.
 * @throws the system's error, for example `EADDRINUSE`, also if another process of this user would share the port
 */
export async function bindSockets(server: Server, { host, port }: Place): Promise<ListeningSockets> {
  if (process.platform === 'linux') return whileBinding(() => bindShared(server, { host, port }))
  await bound(server, { host, port })
  return { close: async () => undefined }
}

async function bindShared(server: Server, { host, port }: Place): Promise<ListeningSockets> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await bindOnce(server, { host, port })
    } catch (error) {
      if (server.listening) await closeSocket(server)
      const { code } = error as NodeJS.ErrnoException
      if (port !== 0 || code !== 'EADDRINUSE' || tried === tries) throw error
    }
  }
}

async function bindOnce(server: Server, { host, port }: Place): Promise<ListeningSockets> {
  // A shared bind succeeds on a port that another process shares, so probe with an unshared bind first. No other
  // process of this user binds between the two.
  if (port !== 0) {
    const probe = createNetServer()
    await bound(probe, { host, port })
    await closeSocket(probe)
  }
  try {
    await bound(server, { host, port, reusePort: true })
  } catch (error) {
    if (!cannotShare(error)) throw error
    await bound(server, { host, port })
    return { close: async () => undefined }
  }
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  const others = Array.from({ length: socketsOfPort - 1 }, () =>
    createNetServer(
      { allowHalfOpen: true, noDelay: true },
      (socket) => void server.emit('connection', socket),
    ),
  )
  try {
    await Promise.all(others.map((each) => bound(each, { host, port: address.port, reusePort: true })))
  } catch (error) {
    await Promise.all(others.filter(({ listening }) => listening).map(closeSocket))
    throw error
  }
  return { close: async () => void (await Promise.all(others.map(closeSocket))) }
}

function cannotShare(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOTSUP' || code === 'EINVAL' || code === 'ENOPROTOOPT'
}
