import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import type { Host, HostRequest, Hosts } from '../ports.ts'
import { worldClosed } from '../world-closed.ts'
import { HostProcess } from './host-process.ts'
import { storageError } from './storage-error.ts'

/** Seconds between asking a host to leave and ending it, as on ECS. */
const defaultGrace = 30

const closingGrace = 5

export class LocalHosts implements Hosts {
  readonly #images: Readonly<Record<string, string>>
  readonly #logs: string
  readonly #hosts = new Map<string, HostProcess>()
  readonly #launches = new Map<string, Promise<HostProcess>>()
  #closed = false

  constructor(images: Readonly<Record<string, string>>, logs: string) {
    this.#images = images
    this.#logs = logs
  }

  async launch(request: HostRequest): Promise<Host> {
    const { image, token } = request
    if (this.#closed) throw worldClosed()
    const launched = this.#launches.get(token)
    if (launched !== undefined) return (await launched).describe()
    const entry = Object.hasOwn(this.#images, image) ? this.#images[image] : undefined
    if (entry === undefined) {
      const known = Object.keys(this.#images).join(', ')
      throw new EspalierError(
        'invalid_request',
        `There is no image "${image}" here. ${known === '' ? 'None is configured.' : `Choose one of: ${known}.`}`,
      )
    }
    const launching = this.#start(request, entry)
    this.#launches.set(token, launching)
    // A launch that never came to a process may be retried with the same token.
    launching.catch(() => this.#launches.delete(token))
    return (await launching).describe()
  }

  async describe(ids: string[]): Promise<Host[]> {
    return ids.flatMap((id) => this.#hosts.get(id)?.describe() ?? [])
  }

  async list(): Promise<Host[]> {
    return Array.from(this.#hosts.values(), (host) => host.describe()).filter(
      ({ status }) => status !== 'stopped',
    )
  }

  async stop(id: string, { grace = defaultGrace }: { grace?: number } = {}): Promise<void> {
    await this.#hosts.get(id)?.stop(grace)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all(Array.from(this.#hosts.keys(), (id) => this.stop(id, { grace: closingGrace })))
    await Promise.allSettled(this.#launches.values())
  }

  async #start({ image, token, environment = {} }: HostRequest, entry: string): Promise<HostProcess> {
    try {
      await mkdir(this.#logs, { recursive: true })
    } catch (error) {
      throw storageError(error, 'create', this.#logs)
    }
    if (this.#closed) throw worldClosed()
    const id = `host_${randomUUID()}`
    const host = new HostProcess({ id, image, token, entry, environment, log: join(this.#logs, `${id}.log`) })
    this.#hosts.set(id, host)
    await host.started()
    return host
  }
}
