import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A port of this machine's loopback behind which a Unix socket answers. */
export interface ForwardedPort {
  readonly address: string
  close(): Promise<void>
}

/** Opens a free port on 127.0.0.1 alone, and passes each connection on to the socket. */
export async function forwardPort(socketPath: string): Promise<ForwardedPort> {
  const open = new Set<Socket>()
  const hold = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true }, (outside) => {
    const inside = connect({ path: socketPath, allowHalfOpen: true })
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      hold(one)
      one.pipe(other)
      // What is gone on one side has no use on the other.
      one.once('error', () => other.destroy())
      one.once('close', () => {
        if (!one.readableEnded) other.destroy()
      })
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `http://127.0.0.1:${port}`,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}
