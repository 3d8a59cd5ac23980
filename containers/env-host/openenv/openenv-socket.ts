import { upgradeWebSocket, type WebSocketServerLike } from '@hono/node-server'
import type { MiddlewareHandler } from 'hono'
import { WebSocket, WebSocketServer } from 'ws'
import type { FacadeSessions } from '../facade-sessions.ts'
import { errorText, type HostLog } from '../host-log.ts'
import { Turns } from '../turns.ts'
import { OpenenvConnection } from './openenv-connection.ts'

/** Maximum bytes of a message: the same as of a request to the host. */
const longestMessage = 4 * 1024 * 1024

const longestCloseMilliseconds = 10_000

// A paused socket also answers no pings, so a slow step alone must not pause it.
const mostWaiting = 8

/** The packages declare an optional field differently. */
export type SocketServer = WebSocketServer & WebSocketServerLike

export function createSocketServer(): SocketServer {
  return new WebSocketServer({ noServer: true, maxPayload: longestMessage }) as SocketServer
}

export function closeSockets(server: WebSocketServer): void {
  for (const socket of server.clients) {
    socket.close(1001, 'This host leaves.')
    setTimeout(() => socket.terminate(), longestCloseMilliseconds).unref()
  }
}

export function openenvSocket(
  environment: string,
  sessions: FacadeSessions,
  log: HostLog,
): MiddlewareHandler {
  return upgradeWebSocket(() => {
    const connection = new OpenenvConnection(environment, sessions, log)
    const turns = new Turns()
    let waiting = 0
    return {
      onMessage: ({ data }, { raw }) => {
        if (!(raw instanceof WebSocket)) return
        waiting += 1
        if (waiting > mostWaiting) raw.pause()
        void turns.take(async () => {
          waiting -= 1
          await reply(raw, connection, typeof data === 'string' ? data : '').catch((error: unknown) => {
            log('error', 'openenv.failed', { error: errorText(error) })
            raw.close(1011)
          })
          if (waiting < mostWaiting && raw.readyState !== WebSocket.CLOSED) raw.resume()
        })
      },
      onClose: () => {
        void turns.take(() =>
          connection.close().catch((error: unknown) => {
            log('error', 'openenv.failed', { error: errorText(error) })
          }),
        )
      },
    }
  })
}

async function reply(socket: WebSocket, connection: OpenenvConnection, message: string): Promise<void> {
  const answer = await connection.answer(message)
  if (answer === null) {
    socket.close(1000)
    return
  }
  // A failure to send means that the client is gone, which closing the connection handles.
  await new Promise<void>((resolve) => socket.send(JSON.stringify(answer), () => resolve()))
}
