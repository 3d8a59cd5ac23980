import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { worldClosed } from '../world-closed.ts'
import { isRefusedForNow } from './aws-error.ts'

export class Turns {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(most: number) {
    this.#free = most
  }

  async take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#free += 1
      else next()
    }
  }
}

/**
 * Concurrent calls of one client; further ones wait here. If they waited for a socket instead, the SDK would count
 * the wait as connection time, and give up calls of a service that is merely slow.
 */
export const mostCallsAtOnce = 256

const maxSockets = 2 * mostCallsAtOnce

const connectionTimeout = 3000

const defaultSilence = 10_000

/** Tries of one call: with pauses that double and vary, some five seconds in all. */
const defaultAttempts = 6

type Send = (request: never) => Promise<unknown>

interface Client {
  destroy(): void
  middlewareStack: {
    add(wrap: (send: Send) => Send, options: { step: 'initialize'; name: string }): void
    add(wrap: (send: Send) => Send, options: { step: 'deserialize'; name: string; priority: 'high' }): void
  }
}

/**
 * The shared keep-alive connections of one world's clients. Credentials, region and addresses (`AWS_ENDPOINT_URL_S3`
 * and the like, for emulators) come from the environment, as the SDK reads it.
 */
export class AwsConnections {
  readonly #agents = {
    httpAgent: new HttpAgent({ keepAlive: true, maxSockets }),
    httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets }),
  }
  readonly #attempts: number
  readonly #onRefusal: (() => void) | null
  readonly #region: string | null
  readonly #clients: Client[] = []
  readonly #underWay = new Set<Promise<unknown>>()
  readonly #closing = new AbortController()

  /**
   * @param region - replaces the environment's
   * @param onRefusal - called with each answer that refuses a call for now, even if the call is then retried
   */
  constructor(
    attempts = defaultAttempts,
    { region = null, onRefusal = null }: { region?: string | null; onRefusal?: (() => void) | null } = {},
  ) {
    this.#attempts = attempts
    this.#region = region
    this.#onRefusal = onRefusal
  }

  /**
   * Returns a function that creates a client on its first call, so that unused clients are never created.
   * @param silence - milliseconds for which a call may be silent
   * @returns a function that throws an EspalierError `invalid_state` once the world is closed
   */
  lazily<Made extends Client>(
    make: (settings: ReturnType<AwsConnections['settings']>) => Made,
    silence?: number,
  ): () => Made {
    let client: Made | undefined
    return () => {
      if (this.closing.aborted) throw worldClosed()
      if (client === undefined) {
        client = make(this.settings(silence))
        const turns = new Turns(mostCallsAtOnce)
        const wrap = (send: Send) => (request: never) => this.#track(turns.take(() => send(request)))
        client.middlewareStack.add(wrap, {
          step: 'initialize',
          name: 'underWay',
        })
        // The step that each try of a call takes, while the first sees one call only.
        const step = { step: 'deserialize', name: 'refusals', priority: 'high' } as const
        client.middlewareStack.add((send) => (request) => this.#noteRefusal(send(request)), step)
        this.#clients.push(client)
      }
      return client
    }
  }

  get closing(): AbortSignal {
    return this.#closing.signal
  }

  settings(silence = defaultSilence) {
    return {
      ...(this.#region !== null && { region: this.#region }),
      retryMode: 'standard',
      maxAttempts: this.#attempts,
      requestHandler: { ...this.#agents, connectionTimeout, socketTimeout: silence },
    }
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await Promise.allSettled(this.#underWay)
    for (const client of this.#clients) client.destroy()
    this.#agents.httpAgent.destroy()
    this.#agents.httpsAgent.destroy()
  }

  async #noteRefusal(call: Promise<unknown>): Promise<unknown> {
    try {
      return await call
    } catch (error) {
      if (isRefusedForNow(error)) this.#onRefusal?.()
      throw error
    }
  }

  #track(call: Promise<unknown>): Promise<unknown> {
    this.#underWay.add(call)
    const done = () => this.#underWay.delete(call)
    call.then(done, done)
    return call
  }
}
