import type { AddressInfo } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Prices } from '../shared/core/contracts/endpoint-configuration.ts'
import { addCosts } from '../shared/core/contracts/money.ts'
import { createRandom, mixNumber } from '../shared/core/random/random.ts'
import type { CallUsage } from '../shared/play/models/call-log.ts'
import { modelClock } from '../shared/play/models/model-clock.ts'
import { costOf, findPrice } from '../shared/play/models/prices.ts'
import { callIdHeader } from '../shared/play/models/transport.ts'
import { acceptRequest, simulatedPaths } from '../shared/play/simulated/answer-request.ts'
import { openAiError } from '../shared/play/simulated/chat-completion-error.ts'
import { simulatedLatency } from '../shared/play/simulated/simulated-latency.ts'

export interface SimulatedServerSettings extends FaultSettings {
  /** Probability of a right answer, 0 to 1. @default 0.7 */
  skill?: number
  /** Milliseconds before an answer. @default 0 */
  latency?: number
  /** Maximum deviation of the latency in milliseconds. @default 0 */
  latency_spread?: number
  seed?: number
  prices?: Prices
}

export interface SimulatedServer {
  readonly baseUrl: string
  readonly callLogUrl: string
  readonly port: number
  stats(): CallStats
  close(): Promise<void>
}

type Bindings = { Bindings: Partial<HttpBindings> }

/**
 * The simulated model as an OpenAI-compatible web application: `POST /v1/chat/completions`, `POST /v1/embeddings`,
 * vLLM's `POST /classify`, `GET /v1/models`, and two pages that real endpoints lack, `GET /calls/{client request id}`
 * and `GET /stats`. A call is counted when its request has arrived in full, before the latency.
 */
export function createSimulatedApp(
  settings: SimulatedServerSettings,
  counter: CallCounter = new CallCounter(settings.prices ?? { '*': { input: 0, output: 0 } }),
): Hono<Bindings> {
  const { skill = 0.7, latency = 0, latency_spread = 0, seed = 0 } = settings
  const faults = new Faults(settings, seed)
  const app = new Hono<Bindings>()
  let samples = 0
  const sample = () => {
    samples += 1
    return samples
  }

  for (const path of simulatedPaths) {
    app.post(path, async (context) => {
      const body = await context.req.text()
      const accepted = acceptRequest(path, body)
      if ('error' in accepted) return context.json(accepted, 400)
      const fault = faults.next()
      if (fault?.kind === 'limit') return refuse(context, fault.milliseconds)
      if (fault?.kind === 'error') {
        return context.json(openAiError('The server had an error.', { type: 'server_error' }), 500)
      }
      const answer = accepted.answer({ skill, seed, sample })
      counter.count(context.req.header(callIdHeader) ?? null, answer.model, answer.tokens)
      await modelClock.sleep(simulatedLatency({ latency, latency_spread, seed }, body))
      if (fault?.kind === 'drop') {
        context.env.incoming?.socket.destroy()
        return RESPONSE_ALREADY_SENT
      }
      if (answer.events === null) return context.json(answer.body)
      return context.body(answer.events, 200, { 'content-type': 'text/event-stream' })
    })
  }

  app.get('/health', (context) => context.json({ status: 'ok' }))
  app.get('/v1/models', (context) =>
    context.json({
      object: 'list',
      data: [{ id: 'simulated', object: 'model', created: 0, owned_by: 'espalier' }],
    }),
  )

  app.get('/calls/:id', (context) => {
    const id = context.req.param('id')
    const usage = counter.find(id)
    if (usage !== undefined) return context.json({ id, ...usage })
    return context.json(openAiError(`No call "${id}" has arrived.`, { code: 'not_found' }), 404)
  })

  app.get('/stats', (context) => context.json(counter.stats))

  app.notFound((context) =>
    context.json(openAiError(`There is no ${context.req.method} ${context.req.path}.`), 404),
  )
  return app
}

/**
 * Serves the simulated model on 127.0.0.1.
 * @param settings.port 0 takes any free port.
 * @example
 * const server = await startSimulatedServer({ port: 0, skill: 0.8, latency: 50 })
 */
export async function startSimulatedServer(
  settings: SimulatedServerSettings & { port: number },
): Promise<SimulatedServer> {
  const counter = new CallCounter(settings.prices ?? { '*': { input: 0, output: 0 } })
  const app = createSimulatedApp(settings, counter)
  const { promise, resolve, reject } = Promise.withResolvers<AddressInfo>()
  const server = serve({ fetch: app.fetch, port: settings.port, hostname: '127.0.0.1' }, resolve)
  server.once('error', reject)
  const { port } = await promise
  const origin = `http://127.0.0.1:${port}`
  return {
    baseUrl: `${origin}/v1`,
    callLogUrl: `${origin}/calls`,
    port,
    stats: () => counter.stats,
    close: () =>
      new Promise((closed, failed) => {
        server.close((error) => (error ? failed(error) : closed()))
        if ('closeAllConnections' in server) server.closeAllConnections()
      }),
  }
}

function refuse(context: Context<Bindings>, milliseconds: number): Response {
  const body = openAiError('Rate limit reached.', { type: 'requests', code: 'rate_limit_exceeded' })
  return context.json(body, 429, {
    'retry-after': String(Math.ceil(milliseconds / 1000)),
    'retry-after-ms': String(milliseconds),
  })
}

interface FaultSettings {
  error_rate?: number
  /** The share of requests processed and then disconnected without an answer. */
  drop_rate?: number
  /** Requests per second; excess ones get 429 with the time to wait. */
  rate_limit?: number
}

type Fault = { kind: 'error' } | { kind: 'drop' } | { kind: 'limit'; milliseconds: number }

class Faults {
  readonly #settings: FaultSettings
  readonly #random: () => number
  readonly #now: () => number
  #windowStart = Number.NEGATIVE_INFINITY
  #inWindow = 0

  constructor(settings: FaultSettings, seed: number, now: () => number = () => performance.now()) {
    this.#settings = settings
    this.#random = createRandom(mixNumber(0xfa17, seed))
    this.#now = now
  }

  next(): Fault | null {
    const { error_rate = 0, drop_rate = 0, rate_limit = Number.POSITIVE_INFINITY } = this.#settings
    const now = this.#now()
    if (now - this.#windowStart >= 1000) {
      this.#windowStart = now
      this.#inWindow = 0
    }
    if (this.#inWindow >= rate_limit) {
      return { kind: 'limit', milliseconds: Math.ceil(this.#windowStart + 1000 - now) }
    }
    this.#inWindow++
    const draw = this.#random()
    if (draw < error_rate) return { kind: 'error' }
    return draw < error_rate + drop_rate ? { kind: 'drop' } : null
  }
}

/**
 * The total usage of a simulated server. `calls` are requests received in full and processed, even if the answer was
 * lost. Rejected requests (4xx, 5xx) do not count, because they cost nothing. `unique_calls` have different
 * `X-Client-Request-Id`; each call without the header counts separately. `cost` is in US dollars; null if any call had
 * no price.
 */
interface CallStats {
  calls: number
  unique_calls: number
  input_tokens: number
  output_tokens: number
  cost: number | null
}

class CallCounter {
  readonly #prices: Prices
  readonly #byId = new Map<string, CallUsage>()
  #stats: CallStats = { calls: 0, unique_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }

  constructor(prices: Prices) {
    this.#prices = prices
  }

  get stats(): CallStats {
    return { ...this.#stats }
  }

  find(id: string): CallUsage | undefined {
    return this.#byId.get(id)
  }

  count(id: string | null, model: string, tokens: { input_tokens: number; output_tokens: number }): void {
    const usage: CallUsage = { ...tokens, cost: costOf(findPrice(this.#prices, model), tokens) }
    const earlier = id === null ? undefined : this.#byId.get(id)
    if (id !== null) this.#byId.set(id, earlier === undefined ? usage : sum(earlier, usage))
    const { calls, unique_calls } = this.#stats
    this.#stats = {
      calls: calls + 1,
      unique_calls: unique_calls + (earlier === undefined ? 1 : 0),
      ...sum(this.#stats, usage),
    }
  }
}

function sum(left: CallUsage, right: CallUsage): CallUsage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cost: addCosts(left.cost, right.cost),
  }
}
