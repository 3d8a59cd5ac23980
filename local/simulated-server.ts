import type { AddressInfo } from 'node:net'
import { type HttpBindings, serve } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { type Context, Hono } from 'hono'
import type { Prices } from '../shared/core/contracts/endpoint-configuration.ts'
import { modelClock } from '../shared/play/models/model-clock.ts'
import { callIdHeader } from '../shared/play/models/transport.ts'
import { acceptRequest, simulatedPaths } from '../shared/play/simulated/answer-request.ts'
import { CallCounter, type CallStats } from '../shared/play/simulated/call-counter.ts'
import { openAiError } from '../shared/play/simulated/chat-completion-error.ts'
import { type FaultSettings, Faults } from '../shared/play/simulated/faults.ts'
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
