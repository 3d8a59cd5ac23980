import { createServer } from 'node:http'
import type { JoinGateway } from '../../shared/core/engine/joining/join-gateway.ts'
import { workerHeader } from '../../shared/core/world/joined/joined-call.ts'

export interface GatewayServer {
  address: string
  port: number
  close(): Promise<void>
}

export async function serveGateway(
  gatewayOf: () => JoinGateway,
  closing: AbortController,
): Promise<GatewayServer> {
  const server = createServer(async (request, response) => {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const parts: Uint8Array[] = []
    for await (const part of request) parts.push(part)
    const worker = { name: String(request.headers[workerHeader]), tenant: 'default' }
    response.end(await gatewayOf().answer(worker, Buffer.concat(parts), gone.signal))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = server.address()
  if (own === null || typeof own === 'string') throw new Error('A server on a port has an address.')
  return {
    address: `http://127.0.0.1:${own.port}`,
    port: own.port,
    async close() {
      closing.abort()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
