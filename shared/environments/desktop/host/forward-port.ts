import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface ForwardedPort {
  readonly port: number
  close(): Promise<void>
}

const headBytes = 4096

/**
 * Opens a free port on 127.0.0.1 only, and forwards each connection to the socket of a session's API.
 * @param within a port inside the session to which connections lead, through the API; absent: they lead to the API
 */
export async function forwardPort(socketPath: string, within?: number): Promise<ForwardedPort> {
  const open = new Set<Socket>()
  const hold = (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  }
  const server = createServer({ allowHalfOpen: true }, async (outside) => {
    const inside = connect({ path: socketPath, allowHalfOpen: true })
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      hold(one)
      // If one side fails, close the other.
      one.once('error', () => other.destroy())
      one.once('close', () => {
        if (!one.readableEnded) other.destroy()
      })
    }
    if (within !== undefined && !(await isLetThrough(inside, within))) {
      outside.destroy()
      inside.destroy()
      return
    }
    outside.pipe(inside)
    inside.pipe(outside)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of open) socket.destroy()
      await closed
    },
  }
}

async function isLetThrough(inside: Socket, port: number): Promise<boolean> {
  inside.write(
    `GET /espalier/port/${port} HTTP/1.1\r\nHost: desktop\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n`,
  )
  let head = Buffer.alloc(0)
  for (;;) {
    const part: Buffer | null = inside.read()
    if (part === null) {
      if (inside.destroyed || inside.readableEnded) return false
      await new Promise<void>((resolve) => {
        for (const event of ['readable', 'end', 'close']) inside.once(event, resolve)
      })
      continue
    }
    head = Buffer.concat([head, part])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) {
      if (head.length > headBytes) return false
      continue
    }
    inside.unshift(head.subarray(end + 4))
    return head.toString('latin1').startsWith('HTTP/1.1 101 ')
  }
}
