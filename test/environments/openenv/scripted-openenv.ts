import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'

interface Script {
  /** The JSON Schema of actions. */
  action: JsonObject
  /** What is answered to a message of a connection that was sent some before; null cuts the connection. */
  answer(message: { type: string; data: JsonObject }, before: number): JsonObject | null
  /** How many connections there may be; one more is refused and closed, as OpenEnv's own server does. */
  capacity?: number
}

/** A server of OpenEnv's shape that answers from a script, for as long as the test runs. */
export async function serveOpenenv({ action, answer, capacity = 8 }: Script) {
  const connections = new Set<WebSocket>()
  const received: JsonObject[] = []
  const server = createServer((request, response) => {
    const bodies: Record<string, object> = {
      '/schema': { action, observation: {}, state: {} },
      '/metadata': { name: 'scripted', description: 'A script.', version: null },
    }
    const body = bodies[request.url ?? '']
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body ?? {}))
  })
  const sockets = new WebSocketServer({ server, path: '/ws' })
  sockets.on('connection', (socket) => {
    if (connections.size >= capacity) {
      socket.send(JSON.stringify({ type: 'error', data: { message: 'full', code: 'CAPACITY_REACHED' } }))
      socket.close()
      return
    }
    connections.add(socket)
    socket.on('close', () => connections.delete(socket))
    let before = 0
    socket.on('message', (text) => {
      const message = JSON.parse(String(text))
      received.push(message)
      if (message.type === 'close') return socket.close()
      const said = answer(message, before)
      before += 1
      if (said === null) socket.terminate()
      else socket.send(JSON.stringify(said))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets.clients) socket.terminate()
    server.closeAllConnections()
    server.close()
  })
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connections,
    received,
  }
}

export const observation = (fields: JsonObject, reward: number | null = null, done = false): JsonObject => ({
  type: 'observation',
  data: { observation: fields, reward, done },
})

export const refusal = (code: string, message: string, more: JsonObject = {}): JsonObject => ({
  type: 'error',
  data: { message, code, ...more },
})
