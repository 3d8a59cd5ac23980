import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, request as send } from 'node:http'
import type { Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request on its way through a proxy. */
export interface PassingRequest {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: Buffer
}

/**
 * What to do with a request: pass it on, pass it on with another body, pass it on and cut the connection instead of
 * answering, or answer in place of the service.
 */
export type Passage =
  | 'pass'
  | 'lose answer'
  | { body: string }
  | { status: number; answer: string; headers?: Record<string, string> }

export interface WireProxy {
  address: string
  /** All requests that came, the lost ones included. */
  readonly requests: PassingRequest[]
  close(): Promise<void>
}

/** What a service answered to a request that was passed on. */
export interface PassingAnswer {
  status: number
  headers: IncomingHttpHeaders
  body: Buffer
}

export interface WireProxyOptions {
  /** Whether `requests` keeps them, bodies and all. @default true */
  keeps?: boolean
  /** Shown each request with its answer, also when that is lost, and when it comes from the proxy itself. */
  observe?: (request: PassingRequest, answer: PassingAnswer) => void
}

/** A proxy before an emulator, which does to requests what networks and services do to them at times. */
export async function openWireProxy(
  target: string,
  decide: (request: PassingRequest) => Passage | Promise<Passage>,
  { keeps = true, observe = () => undefined }: WireProxyOptions = {},
): Promise<WireProxy> {
  const requests: PassingRequest[] = []
  const sockets = new Set<Socket>()
  const forwarding = new Set<Promise<unknown>>()
  const server = createServer(async (incoming, outgoing) => {
    const read = await buffer(incoming).catch(() => null)
    // Its process was killed in the middle.
    if (read === null) return
    const { method = 'GET', url: path = '/', headers } = incoming
    const request = { method, path, headers, body: read }
    if (keeps) requests.push(request)
    const passage = await decide(request)
    if (typeof passage === 'object' && 'status' in passage) {
      observe(request, { status: passage.status, headers: {}, body: Buffer.from(passage.answer) })
      outgoing.writeHead(passage.status, passage.headers).end(passage.answer)
      return
    }
    const body = typeof passage === 'object' ? Buffer.from(passage.body) : request.body
    const forwarded = forward(target, { ...request, body }).catch(() => null)
    forwarding.add(forwarded)
    const answer = await forwarded
    forwarding.delete(forwarded)
    if (answer !== null) observe(request, answer)
    if (answer === null || passage === 'lose answer') incoming.socket.destroy()
    else outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('A TCP server has a port.')
  return {
    address: `http://127.0.0.1:${address.port}`,
    requests,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      await once(server, 'close')
      // The service is at work on these still.
      await Promise.all(forwarding)
    },
  }
}

async function forward(
  target: string,
  { method, path, headers, body }: PassingRequest,
): Promise<PassingAnswer> {
  const { 'transfer-encoding': _, ...kept } = headers
  const outgoing = send(new URL(path, target), {
    method,
    headers: { ...kept, 'content-length': String(body.length) },
    agent: false,
  })
  outgoing.end(body)
  const [answer] = await once(outgoing, 'response')
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  return {
    status: answer.statusCode as number,
    headers: answer.headers as IncomingHttpHeaders,
    body: Buffer.concat(chunks),
  }
}
