import { connect, createServer, type Socket } from 'node:net'

export interface LosingProxy {
  through(address: string): string
  readonly lost: number
  lose(share: number): void
  close(): Promise<void>
}

/**
 * Stands before a database and loses answers: the request arrives and is done, and the connection ends before the answer.
 *
 * @param random the source of the losses
 */
export async function startLosingProxy(port: number, random: () => number): Promise<LosingProxy> {
  let share = 0
  let lost = 0
  const open = new Set<Socket>()
  const server = createServer((client) => {
    const target = connect(port, '127.0.0.1')
    let isDoomed = false
    for (const socket of [client, target]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        open.delete(socket)
        client.destroy()
        target.destroy()
      })
    }
    client.on('data', (part) => {
      isDoomed ||= random() < share
      target.write(part)
    })
    target.on('data', (part) => {
      if (!isDoomed) client.write(part)
      else {
        lost += 1
        client.destroy()
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address()
  if (own === null || typeof own === 'string') throw new Error('A server on a port has an address.')
  return {
    through(address) {
      const url = new URL(address)
      url.port = String(own.port)
      return url.href
    },
    get lost() {
      return lost
    },
    lose(next) {
      share = next
    },
    async close() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
