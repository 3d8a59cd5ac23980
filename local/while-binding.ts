import { connect, createServer, type Server, type Socket } from 'node:net'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { bound, closeSocket } from './bound.ts'

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
export async function whileBinding<Bound>(bind: () => Promise<Bound>): Promise<Bound> {
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

async function isTaken(lock: Server): Promise<boolean> {
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
