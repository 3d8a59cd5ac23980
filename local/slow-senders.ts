import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { EspalierError } from '../shared/core/contracts/errors.ts'

export interface SenderLimits {
  /** Milliseconds from the first byte, or from the connection, to the end of the headers. */
  headers: number
  /** The minimum bytes of a body per interval of milliseconds. */
  body: { bytes: number; every: number }
  idle: number
}

export const usualSenderLimits: SenderLimits = {
  headers: 15_000,
  body: { bytes: 10_240, every: 10_000 },
  idle: 5000,
}

export function senderOptions({ headers, idle }: SenderLimits): ServerOptions {
  const connectionsCheckingInterval = Math.min(1000, headers)
  return { headersTimeout: headers, keepAliveTimeout: idle, connectionsCheckingInterval }
}

/**
 * Closes requests whose body arrives too slowly with 408, so that a few slow clients cannot hold all connections.
 * Bytes that wait here to be read are not the client's delay.
 */
export function closeSlowBodies(server: Server, limits: SenderLimits): void {
  const { bytes, every } = limits.body
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { headers, socket } = request
    if (headers['transfer-encoding'] === undefined && Number(headers['content-length'] ?? 0) === 0) return
    let before = socket.bytesRead
    const timer = setInterval(() => {
      const waitsHere = request.readableLength >= request.readableHighWaterMark
      const isSlow = socket.bytesRead - before < bytes && !waitsHere
      before = socket.bytesRead
      if (request.complete || response.headersSent) clearInterval(timer)
      else if (isSlow) {
        clearInterval(timer)
        refuse(socket, tooSlow(limits), '408 Request Timeout')
      }
    }, every)
    timer.unref()
    response.once('close', () => clearInterval(timer))
  })
}

export function refuse(socket: Duplex, error: EspalierError, status: string): void {
  if (!socket.writable) return
  const body = JSON.stringify(error.toBody())
  const head = `HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`
  socket.end(head + body)
  // Closing immediately with unread bytes would reset the connection before its client has read the answer.
  setTimeout(() => socket.destroy(), 500).unref()
}

export function tooSlow({ headers, body: { bytes, every } }: SenderLimits): EspalierError {
  return new EspalierError(
    'request_timeout',
    `The request came too slowly: its headers must be here within ${headers / 1000} seconds, and its body with at least ${bytes} bytes in each ${every / 1000} seconds. Send it again.`,
  )
}
