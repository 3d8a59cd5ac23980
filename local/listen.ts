import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { ApiApp } from '../functions/api/api-app.ts'
import type { ServePages } from '../functions/show-pages/serve-pages.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import { bindSockets, closeSocket, type ListeningSockets } from './listening-sockets.ts'
import { refuseStrangers } from './refuse-strangers.ts'
import {
  closeSlowBodies,
  refuse,
  type SenderLimits,
  senderOptions,
  tooSlow,
  usualSenderLimits,
} from './slow-senders.ts'

export interface Listening {
  address: string
  /** Takes no new connection, lets pending requests finish for `grace` milliseconds, then cuts them. */
  close(grace: number): Promise<void>
}

/**
 * Serves the app over HTTP, with the dashboard's pages.
 * @param place.port 0 lets the system choose one
 * @param pages tried first; the app answers other requests. Pages are public and need no key
 * @param limits how slowly clients may send
 * @throws EspalierError `conflict` when the port is in use, `invalid_request` when it cannot be used at all
 */
export async function listen(
  app: Pick<ApiApp, 'fetch'>,
  place: { host: string; port: number },
  pages: ServePages = () => null,
  limits: SenderLimits = usualSenderLimits,
): Promise<Listening> {
  const answer = (request: Request, bindings: Parameters<ApiApp['fetch']>[1]) =>
    refuseStrangers(request, place.host) ?? pages(request) ?? app.fetch(request, bindings)
  const listener = getRequestListener(answer, {
    // The service shares its process with other code, which must keep the platform's own Request and Response.
    overrideGlobalObjects: false,
    errorHandler: () => Response.json(unreadable().toBody(), { status: 400 }),
  })
  const server = createServer(senderOptions(limits), listener)
  closeSlowBodies(server, limits)
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const isSlow = error.code === 'ERR_HTTP_REQUEST_TIMEOUT'
    if (isSlow) refuse(socket, tooSlow(limits), '408 Request Timeout')
    else refuse(socket, unreadable(), '400 Bad Request')
  })
  const others = await bindSockets(server, place).catch((error: NodeJS.ErrnoException) => {
    throw explain(error, place.host, place.port)
  })
  return { address: addressOf(server, place.host), close: (grace) => close(server, others, grace) }
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const options = { param: 'port', cause: error }
  switch (error.code) {
    case 'EADDRINUSE':
      return new EspalierError(
        'conflict',
        `Port ${port} of ${host} is in use. Choose another with --port, or --port 0 for any that is free.`,
        options,
      )
    case 'EACCES':
      return new EspalierError(
        'invalid_request',
        `Port ${port} of ${host} needs rights that this user does not have. Choose one above 1023 with --port.`,
        options,
      )
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new EspalierError(
        'invalid_request',
        `This machine has no address ${host}. Choose another with --host.`,
        {
          param: 'host',
          cause: error,
        },
      )
    default:
      return error
  }
}

function addressOf(server: Server, host: string): string {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.')
  return `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`
}

async function close(server: Server, others: ListeningSockets, grace: number): Promise<void> {
  // Closing cuts currently idle connections. Connections whose request ends later would wait for their client.
  const idle = setInterval(() => server.closeIdleConnections(), 20)
  const cut = setTimeout(() => server.closeAllConnections(), grace)
  try {
    await Promise.all([closeSocket(server), others.close()])
  } finally {
    clearInterval(idle)
    clearTimeout(cut)
  }
}

function unreadable(): EspalierError {
  return new EspalierError(
    'invalid_request',
    'The request is not HTTP that can be read: look at its address and headers.',
  )
}
