import { EspalierError } from '../contracts/errors.ts'
import type { HostAnswer, HostCall } from '../contracts/host-call.ts'
import { type Json, jsonSchema } from '../contracts/json.ts'
import type { World } from '../world/ports.ts'
import { type HostNetwork, hostOrigin } from './host-address.ts'
import type { HostCaller } from './host-caller.ts'
import { HostRegistry } from './host-registry.ts'
import { hostRoute } from './host-route.ts'

/** How long an address that was looked up is used. Milliseconds. */
const keptFor = 10_000
/** The most addresses that are kept at once. */
const mostKept = 1000

export interface DirectHostCallerOptions {
  world: Pick<World, 'ledger' | 'clock'>
  /** Where hosts may be. */
  network: HostNetwork
  /** Milliseconds until a call is given up. @default 30 000 */
  timeout?: number
}

/** Calls hosts over HTTP, at the addresses that the registry has and at no others. */
export class DirectHostCaller implements HostCaller {
  readonly #registry: HostRegistry
  readonly #clock: World['clock']
  readonly #network: HostNetwork
  readonly #timeout: number
  readonly #kept = new Map<string, { origin: string; until: number }>()

  constructor({ world, network, timeout = 30_000 }: DirectHostCallerOptions) {
    this.#registry = new HostRegistry(world.ledger)
    this.#clock = world.clock
    this.#network = network
    this.#timeout = timeout
  }

  async call(call: HostCall, signal?: AbortSignal): Promise<HostAnswer> {
    const origin = await this.#originOf(call.host)
    if (origin === null) {
      return failure('unknown_host', `There is no host ${call.host} that can be called. Choose another.`)
    }
    const { method, path, body } = hostRoute(call)
    const limit = AbortSignal.timeout(this.#timeout)
    try {
      const response = await fetch(`${origin}${path}`, {
        method,
        body,
        headers: body === null ? {} : { 'content-type': 'application/json' },
        // A host answers by itself; who is sent elsewhere is not talking to one.
        redirect: 'error',
        signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      })
      return { status: response.status, body: await jsonOf(response) }
    } catch (error) {
      signal?.throwIfAborted()
      this.#kept.delete(call.host)
      if (limit.aborted) {
        const message = `The host ${call.host} did not answer within ${this.#timeout / 1000} seconds. Make the same call again, or use another host.`
        return failure('host_timed_out', message)
      }
      const message = `The host ${call.host} cannot be reached (${causeOf(error)}). Use another host.`
      return failure('host_unreachable', message)
    }
  }

  async #originOf(host: string): Promise<string | null> {
    const now = this.#clock.now()
    const kept = this.#kept.get(host)
    if (kept !== undefined && kept.until > now) return kept.origin
    const address = (await this.#registry.get(host))?.address ?? null
    const origin = address && hostOrigin(address, this.#network)
    if (origin === null) return null
    if (this.#kept.size >= mostKept) this.#kept.clear()
    this.#kept.set(host, { origin, until: now + keptFor })
    return origin
  }
}

/** @throws an error when the body is not JSON, so that it is no host that answers */
async function jsonOf(response: Response): Promise<Json> {
  return jsonSchema.parse(JSON.parse(await response.text()))
}

function failure(code: 'unknown_host' | 'host_unreachable' | 'host_timed_out', message: string): HostAnswer {
  const error = new EspalierError(code, message, { param: 'host' })
  return { status: error.status, body: error.toBody() }
}

function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  return cause instanceof Error && 'code' in cause ? String(cause.code) : error.message
}
