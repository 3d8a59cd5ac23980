import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Host } from '../../shared/core/world/ports.ts'
import { callFailure } from '../../shared/environments/hosts/send-host-call.ts'
import type { HostOrder, HostPoll, NewOrder, OrderAnswer } from './host-calls.ts'
import { modelServerImage } from './model-calls.ts'

// Milliseconds without a poll: more than the service holds one.
const lostAfter = 25_000

interface Asked {
  order: HostOrder
  resolve(answer: OrderAnswer | null): void
}

/** A machine that runs hosts, by its polls. Each of its hosts has an address on this machine that forwards to it. */
export class HostMachine {
  readonly name: string
  readonly #asked = new Map<string, Asked>()
  readonly #relays = new Map<string, { server: Server; address: string }>()
  #latest: HostPoll
  #heardAt = performance.now()
  #bell = Promise.withResolvers<void>()

  constructor(name: string, first: HostPoll) {
    this.name = name
    this.#latest = first
  }

  get isLost(): boolean {
    return performance.now() - this.#heardAt > lostAfter
  }

  get room(): number {
    const { hosts, machine, state } = this.#latest
    const launching = [...this.#asked.values()].filter(({ order }) => order.op === 'launch').length
    const running = hosts.filter(({ status }) => status !== 'stopped').length
    return state === 'open' ? machine.capacity - running - launching : 0
  }

  get capacity(): number {
    return this.#latest.state === 'open' ? this.#latest.machine.capacity : 0
  }

  get hosts(): Host[] {
    return this.#latest.hosts.map((host) => {
      const relay = this.#relays.get(host.id)
      if (host.status !== 'running') return { ...host, address: null }
      return relay === undefined
        ? { ...host, status: 'starting', address: null }
        : { ...host, address: relay.address }
    })
  }

  /** Servers of models take a machine's whole memory, so that only machines with the label have them. */
  runs(image: string): boolean {
    const { labels } = this.#latest.machine
    return labels.includes(image) || (labels.length === 0 && image !== modelServerImage)
  }

  async hear(poll: HostPoll): Promise<void> {
    this.#heardAt = performance.now()
    this.#latest = poll
    for (const answer of poll.answers) this.#settle(answer.id, answer)
    const running = poll.hosts.filter(({ status }) => status === 'running').map(({ id }) => id)
    for (const [id, { server }] of this.#relays) {
      if (running.includes(id)) continue
      this.#relays.delete(id)
      server.close()
    }
    await Promise.all(running.map((id) => this.#open(id)))
  }

  /** The orders that a poll does not know. Waits for the first, for a time in milliseconds, or until the signal. */
  async orders({ known }: Pick<HostPoll, 'known'>, wait: number, signal: AbortSignal): Promise<HostOrder[]> {
    const seen = new Set(known)
    const find = () => [...this.#asked.values()].flatMap(({ order }) => (seen.has(order.id) ? [] : [order]))
    const until = AbortSignal.any([signal, AbortSignal.timeout(wait)])
    const over = new Promise<void>((resolve) => until.addEventListener('abort', () => resolve()))
    while (find().length === 0 && !until.aborted) await Promise.race([this.#bell.promise, over])
    return find()
  }

  ask(order: NewOrder): Promise<OrderAnswer | null> {
    const id = randomUUID()
    return new Promise((resolve) => {
      this.#asked.set(id, { order: { ...order, id } as HostOrder, resolve })
      this.#bell.resolve()
      this.#bell = Promise.withResolvers()
    })
  }

  close(): void {
    for (const id of this.#asked.keys()) this.#settle(id, null)
    for (const { server } of this.#relays.values()) {
      server.close()
      server.closeAllConnections()
    }
    this.#relays.clear()
  }

  #settle(id: string, answer: OrderAnswer | null): void {
    this.#asked.get(id)?.resolve(answer)
    this.#asked.delete(id)
  }

  async #open(host: string): Promise<void> {
    if (this.#relays.has(host)) return
    const server = createServer(async (request, response) => {
      const { status, body } = await this.#forward(host, request)
      response.writeHead(status, { 'content-type': 'application/json' }).end(body)
    })
    const relay = { server, address: '' }
    this.#relays.set(host, relay)
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
    )
    relay.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async #forward(host: string, request: IncomingMessage): Promise<Pick<OrderAnswer, 'status' | 'body'>> {
    const { headers, method, url: path = '/' } = request
    const body = await text(request)
    if (method !== 'GET' && method !== 'POST' && method !== 'DELETE') return { status: 405, body: '{}' }
    const order = { op: 'call', host, method, path, body: body === '' ? null : body } as const
    const answer = await this.ask({ ...order, authorization: headers.authorization ?? null })
    if (answer !== null) return answer
    const lost = callFailure('host_unreachable', `The machine of the host ${host} is lost. Use another host.`)
    return { status: lost.status, body: JSON.stringify(lost.body) }
  }
}
