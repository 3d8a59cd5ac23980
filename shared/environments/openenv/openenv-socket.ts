import type { Agent } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { WebSocket } from 'ws'
import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import { parseJson } from '../../core/contracts/parse-json.ts'
import { clipText } from '../../core/contracts/well-formed.ts'
import { checkLiteral } from '../../core/outbound/check-literal.ts'
import { createSteadyLookup } from '../../core/outbound/guarded-lookup.ts'
import { SessionLostError } from '../session-lost-error.ts'
import { longestOutsideAnswer } from '../tools/bounded-response.ts'

const longestHandshake = 30_000
const longestAnswer = 300_000
const longestClose = 2000

const answerSchema = z.object({ type: z.string(), data: jsonObjectSchema.default({}) })

/** Shared by all sockets, so that each name stays in the network of its first answer. */
const lookup = createSteadyLookup()

export type OpenenvAnswer = z.infer<typeof answerSchema>

export class OpenenvSocket {
  readonly #name: string
  readonly #socket: WebSocket
  readonly #answers: string[] = []
  #waiting: (() => void) | null = null
  #gone: string | null = null

  /**
   * @param name of the server in errors, which never contain its address
   * @throws SessionLostError when the server is not there; EspalierError `endpoint_failed` when it is no OpenEnv
   * server
   */
  static async open(name: string, address: string, signal: AbortSignal): Promise<OpenenvSocket> {
    const url = `${address.replace(/^http/, 'ws').replace(/\/+$/, '')}/ws`
    // Without a name there is no lookup that could refuse it.
    checkLiteral(new URL(url), 'registered')
    const { WebSocket } = await import('ws') // Loaded on demand, to keep the start of functions small.
    const agent = await throughProxy(name, url, signal)
    const socket = new WebSocket(url, {
      handshakeTimeout: longestHandshake,
      maxPayload: longestOutsideAnswer,
      followRedirects: false,
      lookup,
      ...(agent !== null && { agent }),
    })
    // Listen before the connection is open: a full server reports it immediately.
    const opened = new OpenenvSocket(name, socket)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const leave = (): void => reject(signal.reason)
    signal.addEventListener('abort', leave, { once: true })
    socket.once('open', () => resolve())
    socket.once('unexpected-response', (_request, response) =>
      reject(refusal(name, response.statusCode ?? 0)),
    )
    // Keep this handler for the socket's life: an unhandled error would end the process.
    socket.on('error', (error) =>
      reject(new SessionLostError(`${name} cannot be reached (${error.message}).`)),
    )
    try {
      await promise
    } catch (error) {
      socket.terminate()
      throw error
    } finally {
      signal.removeEventListener('abort', leave)
    }
    return opened
  }

  private constructor(name: string, socket: WebSocket) {
    this.#name = name
    this.#socket = socket
    socket.on('message', (data) => {
      this.#answers.push(String(data))
      this.#waiting?.()
    })
    socket.on('close', (code) => {
      this.#gone = `the connection was closed (${code})`
      this.#waiting?.()
    })
  }

  /**
   * @throws SessionLostError when the connection ends before an answer came; EspalierError `endpoint_failed` for an
   * answer that is no message of OpenEnv
   */
  async ask(message: JsonObject, signal: AbortSignal): Promise<OpenenvAnswer> {
    signal.throwIfAborted()
    if (this.#gone === null) this.#socket.send(JSON.stringify(message))
    const text = await this.#next(signal)
    const parsed = answerSchema.safeParse(parseJson(text))
    if (parsed.success) return parsed.data
    throw new EspalierError(
      'endpoint_failed',
      `${this.#name} answered ${String(message.type)} with what is no message of OpenEnv: ${clipText(text, 200)}`,
    )
  }

  async close(): Promise<void> {
    if (this.#gone !== null) return
    const closed = new Promise<void>((resolve) => this.#socket.once('close', () => resolve()))
    this.#socket.send(JSON.stringify({ type: 'close' }), () => this.#socket.close())
    const late = new AbortController()
    await Promise.race([
      closed,
      wait(longestClose, undefined, { signal: late.signal }).catch(() => undefined),
    ])
    late.abort()
    this.#socket.terminate()
  }

  cut(): void {
    this.#socket.terminate()
  }

  async #next(signal: AbortSignal): Promise<string> {
    const late = AbortSignal.timeout(longestAnswer)
    const either = AbortSignal.any([signal, late])
    for (;;) {
      const answer = this.#answers.shift()
      if (answer !== undefined) return answer
      if (this.#gone !== null) throw new SessionLostError(`${this.#name}: ${this.#gone}.`)
      signal.throwIfAborted()
      if (late.aborted)
        throw new SessionLostError(`${this.#name} did not answer within ${longestAnswer / 1000} seconds.`)
      await new Promise<void>((resolve) => {
        this.#waiting = resolve
        either.addEventListener('abort', () => resolve(), { once: true })
      })
      this.#waiting = null
    }
  }
}

function refusal(name: string, status: number): Error {
  if (status >= 500 || status === 429)
    return new SessionLostError(`${name} answered /ws with the status ${status}.`)
  return new EspalierError(
    'endpoint_failed',
    `${name} answered /ws with the status ${status}. Check that its address is that of an OpenEnv server, with the path that it stands under.`,
  )
}

/**
 * A connection through the proxy of the environment, or null if there is none.
 * @throws SessionLostError when the proxy does not connect
 */
async function throughProxy(name: string, url: string, signal: AbortSignal): Promise<Agent | null> {
  const { proxyFor } = await import('../../core/outbound/proxy-settings.ts')
  const proxy = proxyFor(new URL(url), process.env)
  if (proxy === null) return null
  const { openTunnel } = await import('../../core/outbound/open-tunnel.ts')
  try {
    const patience = AbortSignal.any([signal, AbortSignal.timeout(longestHandshake)])
    return await openTunnel(proxy, new URL(url), patience)
  } catch (error) {
    signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    throw new SessionLostError(`${name} cannot be reached through the proxy (${reason}).`)
  }
}
