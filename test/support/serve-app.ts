import type { AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Hono } from 'hono'
import { onTestFinished } from 'vitest'
import type { SocketServer } from '../../containers/env-host/openenv/openenv-socket.ts'

/** Serves an app over HTTP until the test is over, and gives its address. */
export async function serveApp(app: Hono, sockets?: SocketServer): Promise<string> {
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    ...(sockets && { websocket: { server: sockets } }),
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets?.clients ?? []) socket.terminate()
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
