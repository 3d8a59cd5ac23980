import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, Server as TcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { createRandom, digestText, type Random } from '../shared/core/random/random.ts'
import { callIdHeader } from '../shared/play/models/transport.ts'
import { acceptRequest } from '../shared/play/simulated/answer-request.ts'
import { openAiError } from '../shared/play/simulated/chat-completion-error.ts'
import { simulatedLatency } from '../shared/play/simulated/simulated-latency.ts'
import { CallBook, mostOf } from './call-book.ts'

export type StormKind = 'limit' | 'error' | 'hang-up' | 'garbage' | 'slow' | 'refuse'

const skill = 0.75
const usualLatency = { latency: 50, latency_spread: 45 }
/** Milliseconds before the log reports that a call never came: a killed process's request may still be on its way. */
const logPatience = 300

const errorStatuses = [500, 502, 503, 529]
const garbage = [
  '<html><body>502 Bad Gateway</body></html>',
  '{"id": "chatcmpl-1", "object": "chat.completion", "choices": [{"index": 0, "mess',
  '{"object": "chat.completion", "choices": []}',
  '{"error": {"message": "The engine is overloaded.", "type": "server_error"}}',
  'null',
]

/**
 * A deterministic model behind an OpenAI-compatible endpoint on 127.0.0.1: the same request has the same answer and
 * latency in every process. It records every call, answers `GET /calls/{id}` from these books, and misbehaves on
 * demand.
 */
export class ModelEndpoint {
  readonly book = new CallBook()
  readonly #random: Random
  readonly #isQuick: boolean
  #server: Server | null = null
  readonly #servers: Server[] = []
  #port = 0
  #storm: { kind: StormKind; share: number } | null = null
  readonly met = new Map<StormKind, number>()
  readonly refusing = new Set<string>()

  constructor(options: { seed: number; isQuick: boolean }) {
    this.#random = createRandom(options.seed)
    this.#isQuick = options.isQuick
  }

  async listen(): Promise<void> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch(() => response.destroy())
    })
    // If a connection closes while a request arrives, its counting is ambiguous. So none closes except by a storm.
    server.keepAliveTimeout = 0
    server.requestTimeout = 0
    await new Promise<void>((listening, failed) => {
      server.once('error', failed)
      server.listen(this.#port, '127.0.0.1', listening)
    })
    this.#port = (server.address() as AddressInfo).port
    this.#server = server
    this.#servers.push(server)
  }

  get addresses(): { base_url: string; call_log_url: string } {
    const origin = `http://127.0.0.1:${this.#port}`
    return { base_url: `${origin}/v1`, call_log_url: `${origin}/calls` }
  }

  /** @param share of the affected requests, 0 to 1 */
  async begin(kind: StormKind, share: number): Promise<void> {
    await this.calm()
    this.#storm = { kind, share }
    if (kind !== 'refuse' || this.#server === null) return
    this.book.mayMiss = true
    // Existing connections continue until their next request.
    TcpServer.prototype.close.call(this.#server)
    this.#server = null
  }

  async calm(): Promise<void> {
    this.#storm = null
    if (this.#server === null) await this.listen()
  }

  async close(): Promise<void> {
    for (const server of this.#servers) {
      server.close()
      server.closeAllConnections()
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    if (this.#storm?.kind === 'refuse') response.shouldKeepAlive = false
    if (path.startsWith('/calls/')) return this.#answerLog(decodeURIComponent(path.slice(7)), response)
    if (path !== '/v1/chat/completions') return send(response, 404, openAiError(`There is no ${path}.`))
    const body = await text(request)
    const accepted = acceptRequest(path, body)
    if ('error' in accepted) return send(response, 400, accepted)
    const storm = this.#stormOf()
    if (storm === 'limit') {
      response.setHeader('retry-after', String(Math.ceil(this.#random() * 2)))
      return send(response, 429, openAiError('Rate limit reached.', { code: 'rate_limit_exceeded' }))
    }
    if (storm === 'error') {
      const status = errorStatuses[Math.floor(this.#random() * errorStatuses.length)] ?? 500
      return send(response, status, openAiError('The server had an error.', { type: 'server_error' }))
    }
    const answer = accepted.answer({ skill, seed: 0 })
    if (this.refusing.has(answer.model) && isRefused(body)) {
      return send(response, 400, openAiError('The prompt is refused.', { code: 'invalid_prompt' }))
    }
    const call = this.book.open({
      id: String(request.headers[callIdHeader] ?? ''),
      model: answer.model,
      digest: digestText(body).toString(16),
      tokens: answer.tokens,
      most: mostOf(JSON.parse(body)),
    })
    response.once('close', () => this.book.close(call, 'cut'))
    if (storm === 'refuse') return void response.destroy()
    await delay(this.#latency(storm, body))
    if (storm === 'garbage') {
      this.book.close(call, 'cut')
      const words = garbage[Math.floor(this.#random() * garbage.length)] ?? ''
      response.writeHead(200, { 'content-type': 'application/json' }).end(words)
      return
    }
    const whole = JSON.stringify(answer.body)
    if (storm === 'hang-up') {
      this.book.close(call, 'cut')
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length + 64 })
      response.write(whole.slice(0, whole.length / 2), () => response.destroy())
      return
    }
    response.once('finish', () => this.book.close(call, 'answered'))
    if (!response.destroyed) response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
  }

  async #answerLog(id: string, response: ServerResponse): Promise<void> {
    const found = (await this.book.find(id)) ?? (await delay(logPatience, null)) ?? (await this.book.find(id))
    if (found === null) return send(response, 404, openAiError(`No call "${id}" has arrived.`))
    send(response, 200, { id, ...found })
  }

  #stormOf(): StormKind | null {
    if (this.#storm === null) return null
    if (this.#storm.kind !== 'refuse' && this.#random() >= this.#storm.share) return null
    const { kind } = this.#storm
    this.met.set(kind, (this.met.get(kind) ?? 0) + 1)
    return kind
  }

  #latency(storm: StormKind | null, body: string): number {
    if (storm === 'slow') return 2000 + this.#random() * 3000
    return this.#isQuick ? 0 : simulatedLatency({ ...usualLatency, seed: 0 }, body)
  }
}

function isRefused(body: string): boolean {
  const { messages } = JSON.parse(body) as { messages: object[] }
  return messages.length > 1 && digestText(JSON.stringify(messages)) % 12 === 0
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
