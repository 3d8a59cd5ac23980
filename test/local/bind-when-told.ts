import { createServer } from 'node:http'
import { bindSockets, closeSocket, type ListeningSockets } from '../../local/listening-sockets.ts'

/** A process that binds a port when its parent says so, and says whether it got it. */
const server = createServer()
let sockets: ListeningSockets | null = null

async function bind(port: number): Promise<string> {
  try {
    sockets = await bindSockets(server, { host: '127.0.0.1', port })
    return 'bound'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

async function close(): Promise<string> {
  if (sockets === null) return 'closed'
  await Promise.all([closeSocket(server), sockets.close()])
  sockets = null
  return 'closed'
}

process.on('message', async (message: { bind: number } | 'close') => {
  process.send?.(message === 'close' ? await close() : await bind(message.bind))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
