import { extname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { request } from 'undici'
import { errorFields, type Log } from '../../functions/api/log.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { createOutboundFetch } from '../../shared/core/outbound/outbound-fetch.ts'
import { programVariables } from '../../shared/core/programs/program-variables.ts'
import { workerHeader } from '../../shared/core/world/joined/joined-call.ts'
import { checkService, refusalOf } from '../../shared/core/world/joined/joined-connection.ts'
import { LocalHosts } from '../../shared/core/world/local/local-hosts.ts'
import { callFailure } from '../../shared/environments/hosts/send-host-call.ts'
import { serverVariables } from '../../shared/learn/serving/server-process.ts'
import { describeMachine } from '../describe-machine.ts'
import { hostImages } from '../host-images.ts'
import type { ClusterWorker } from './cluster-worker.ts'
import { type HostOrder, type HostPoll, hostOrdersSchema, hostsPath, type OrderAnswer } from './host-calls.ts'
import { joinedNameOf } from './joined-worker.ts'
import { modelServerImage } from './model-calls.ts'

export interface JoinedHostOptions {
  folder: string
  address: string
  token: string
  capacity: number
  labels?: readonly string[]
  log: Log
  onRefused(error: EspalierError): void
}

const modelServer = join(import.meta.dirname, `joined-model-server${extname(import.meta.filename)}`)

const times = { pause: 100, longestPause: 2000, answer: 45_000, call: 720_000 }
const mostRemembered = 20_000

/**
 * Runs hosts of environments for a service over outbound HTTPS: it polls for orders, and the service forwards the
 * calls of sessions.
 * @throws EspalierError `invalid_key` or `missing_scope` for the token, `conflict` for another version
 */
export async function startJoinedHost(options: JoinedHostOptions): Promise<ClusterWorker> {
  const host = new JoinedHost(options)
  await host.start()
  return host
}

class JoinedHost implements ClusterWorker {
  readonly name: string
  readonly #options: JoinedHostOptions
  readonly #url: URL
  readonly #fetch = createOutboundFetch({})
  readonly #hosts: LocalHosts
  readonly #machine: HostPoll['machine']
  // Oldest first. An order that comes again is not carried out again.
  readonly #orders = new Map<string, 'going' | 'answered'>()
  readonly #stopped = new AbortController()
  #answers: OrderAnswer[] = []
  #state: HostPoll['state'] = 'open'
  #polling: Promise<void> = Promise.resolve()

  constructor(options: JoinedHostOptions) {
    const { address, capacity, folder, labels = [], token } = options
    this.#options = options
    this.name = joinedNameOf(token)
    this.#url = new URL(hostsPath, checkService(address))
    const images = { ...hostImages, [modelServerImage]: modelServer }
    this.#hosts = new LocalHosts(images, join(folder, 'hosts'))
    this.#machine = { ...describeMachine({ kind: 'host', capacity, labels }), kind: 'host' }
  }

  async start(): Promise<void> {
    await this.#retried(false)
    this.#polling = this.#repeat()
  }

  async stop(): Promise<void> {
    this.#state = 'leaving'
    const { log } = this.#options
    const note = (error: unknown) =>
      log({ level: 'error', event: 'service.failed', worker: this.name, ...errorFields(error) })
    await this.#poll(false).catch(note)
    await this.#hosts.close()
    this.#state = 'left'
    this.#stopped.abort()
    await this.#polling
    await this.#poll(false).catch(note)
  }

  async #repeat(): Promise<void> {
    while (!this.#stopped.signal.aborted) {
      try {
        await this.#retried(true)
      } catch (error) {
        if (this.#stopped.signal.aborted) return
        this.#options.onRefused(error as EspalierError)
        return
      }
    }
  }

  async #retried(wait: boolean): Promise<void> {
    for (let pause = times.pause; ; pause = Math.min(2 * pause, times.longestPause)) {
      try {
        return await this.#poll(wait)
      } catch (error) {
        if (EspalierError.isInstance(error) || this.#stopped.signal.aborted) throw error
        await delay(pause, undefined, { signal: this.#stopped.signal })
      }
    }
  }

  async #poll(wait: boolean): Promise<void> {
    const answers = [...this.#answers]
    const known = [...this.#orders].flatMap(([id, state]) => (state === 'going' ? [id] : []))
    const hosts = await this.#hosts.list()
    const signal = AbortSignal.timeout(times.answer)
    const answer = await this.#fetch(this.#url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.#options.token}`,
        'content-type': 'application/json',
        [workerHeader]: this.name,
      },
      body: JSON.stringify({
        ...{ machine: this.#machine, state: this.#state, hosts, known, answers, wait },
      } satisfies HostPoll),
      redirect: 'error',
      signal: wait ? AbortSignal.any([signal, this.#stopped.signal]) : signal,
    })
    if (!answer.ok) throw await refusalOf(answer)
    const { orders } = hostOrdersSchema.parse(await answer.json())
    this.#answers = this.#answers.filter((one) => !answers.includes(one))
    for (const { id } of answers) this.#orders.set(id, 'answered')
    for (const [id, state] of this.#orders) {
      if (this.#orders.size <= mostRemembered) break
      if (state === 'answered') this.#orders.delete(id)
    }
    for (const order of orders) if (!this.#orders.has(order.id)) void this.#carryOut(order)
  }

  async #carryOut(order: HostOrder): Promise<void> {
    const { id } = order
    this.#orders.set(id, 'going')
    const answer = await this.#answer(order).catch((error: unknown) => ({
      status: 500,
      body: error instanceof Error ? error.message : String(error),
    }))
    // Other polls replace the list meanwhile.
    this.#answers.push({ id, ...answer })
    // If it fails, the next poll has the answer.
    await this.#poll(false).catch(() => undefined)
  }

  #servingVariables(): Record<string, string> {
    return {
      ...serverVariables(),
      ...programVariables(['NODE_EXTRA_CA_CERTS', 'NODE_USE_SYSTEM_CA']),
      ESPALIER_FOLDER: this.#options.folder,
      ESPALIER_JOIN: this.#url.origin,
      ESPALIER_TOKEN: this.#options.token,
      ESPALIER_WORKER: this.name,
    }
  }

  async #answer(order: HostOrder): Promise<Omit<OrderAnswer, 'id'>> {
    if (order.op === 'launch') {
      const { image, token, environment } = order
      const more = image === modelServerImage ? this.#servingVariables() : {}
      const host = await this.#hosts.launch({ image, token, environment: { ...more, ...environment } })
      return { status: 200, body: JSON.stringify(host) }
    }
    if (order.op === 'stop') {
      await this.#hosts.stop(order.host, { grace: order.grace })
      return { status: 200, body: '' }
    }
    const { authorization, body, host, method, path } = order
    const [found] = await this.#hosts.describe([host])
    try {
      if (!found?.address) throw new Error('it runs no more')
      const answer = await request(`${found.address}${path}`, {
        method,
        body,
        headers: {
          ...(body !== null && { 'content-type': 'application/json' }),
          ...(authorization !== null && { authorization }),
        },
        signal: AbortSignal.timeout(times.call),
        ...{ headersTimeout: 0, bodyTimeout: 0 },
      })
      return { status: answer.statusCode, body: await answer.body.text() }
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      const failure = callFailure('host_unreachable', `The host ${host} cannot be reached (${why}).`)
      return { status: failure.status, body: JSON.stringify(failure.body) }
    }
  }
}
