import type { Server } from 'node:http'
import { connect, createServer, type ListenOptions, type Server as NetServer, type Socket } from 'node:net'
import { EspalierError } from '../shared/core/contracts/errors.ts'

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
    const probe = createServer()
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
    createServer({ allowHalfOpen: true, noDelay: true }, (socket) => void server.emit('connection', socket)),
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

/**
 * An abstract socket of Linux: one process can listen on it, and it ends with that process. Like ports, it belongs to
 * a network namespace. Only processes of one user can share a port, so each user has its own.
 */
const path = `\0espalier-binding-${process.getuid?.() ?? 0}`
/** Milliseconds to wait for another process that binds its sockets, a matter of milliseconds. */
const patience = 10_000

/**
 * Binds sockets while no other process of this user does.
 * @throws EspalierError `conflict` if another one does so for ten seconds
 */
async function whileBinding<Bound>(bind: () => Promise<Bound>): Promise<Bound> {
  const waiting = new Set<Socket>()
  const lock = createServer((socket) => {
    waiting.add(socket.on('error', () => undefined))
  })
  const signal = AbortSignal.timeout(patience)
  while (!(await isTaken(lock))) await untilFree(signal)
  try {
    return await bind()
  } finally {
    const closed = closeSocket(lock)
    for (const socket of waiting) socket.destroy()
    await closed
  }
}

async function isTaken(lock: NetServer): Promise<boolean> {
  try {
    await bound(lock, { path })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false
    throw error
  }
}

/**
 * Resolves once the process that holds the lock gives it up or ends, or refuses the connection.
 * @throws EspalierError if the signal aborts
 */
async function untilFree(signal: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    connect({ path, signal }, () => undefined)
      .on('error', () => undefined)
      .on('close', () => resolve())
  })
  if (!signal.aborted) return
  throw new EspalierError(
    'conflict',
    'Another process of this user has been opening its port for ten seconds. End it or let it continue, then start again.',
  )
}

function bound(server: NetServer, place: ListenOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(place, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

export function closeSocket(server: NetServer): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()))
  })
}
