import { setTimeout as delay } from 'node:timers/promises'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { LaunchingDriver, LaunchJob, StartedServer } from '../../shared/learn/serving/server-driver.ts'
import type { HostMachines } from './host-machines.ts'
import { modelServerImage, type ServedJob, startingSchema } from './model-calls.ts'

const lookEvery = 500
const healthPatience = 10_000
/** Seconds. */
const grace = 10

/** Starts servers of models on machines that joined for it (`espalier worker --join … --models`). */
export class ModelMachines implements LaunchingDriver {
  readonly name = 'machine'
  readonly usesAccelerator = false
  readonly missing = 'no machine serves models: start espalier worker --join … --models 1'
  readonly #hosts: HostMachines
  readonly #jobs = new Map<string, ServedJob>()

  constructor(hosts: HostMachines) {
    this.#hosts = hosts
  }

  refuses(): null {
    return null
  }

  async isInstalled(): Promise<boolean> {
    return this.#hosts.offer(modelServerImage).any
  }

  /** @throws EspalierError `not_found` for a server that no machine should start */
  job(life: string): ServedJob {
    const job = this.#jobs.get(life)
    if (job !== undefined) return job
    throw new EspalierError('not_found', 'The service no longer wants this server.')
  }

  async launch({ life, onProgress, ...job }: LaunchJob, signal: AbortSignal): Promise<StartedServer> {
    for (;;) {
      const { any, room } = this.#hosts.offer(modelServerImage)
      if (room > 0) break
      if (!any) throw new Error(this.missing)
      onProgress('it waits for a place on a machine that serves models')
      await delay(lookEvery, undefined, { signal })
    }
    this.#jobs.set(life, job)
    try {
      const environment = { ESPALIER_LIFE: life }
      const { id } = await this.#hosts.launch({ image: modelServerImage, token: life, environment })
      const server = new MachineServer(this.#hosts, id, onProgress, () => this.#jobs.delete(life))
      await server.listening(signal)
      return server
    } catch (error) {
      this.#jobs.delete(life)
      throw error
    }
  }

  /** Stops servers of an earlier service, which this one does not know. */
  async stopOthers(): Promise<void> {
    for (const { id, image, token = '' } of this.#hosts.remote)
      if (image === modelServerImage && !this.#jobs.has(token)) await this.#hosts.stop(id, { grace })
  }
}

class MachineServer implements StartedServer {
  readonly ended: Promise<void>
  readonly #hosts: HostMachines
  readonly #id: string
  readonly #onProgress: (what: string) => void
  readonly #forget: () => void
  readonly #left = new AbortController()
  #address = ''
  #how: string | null = null
  tail: string[] = []

  constructor(hosts: HostMachines, id: string, onProgress: (what: string) => void, forget: () => void) {
    this.#hosts = hosts
    this.#id = id
    this.#onProgress = onProgress
    this.#forget = forget
    this.ended = this.#watch()
  }

  get address(): string {
    return this.#address
  }

  async listening(signal: AbortSignal): Promise<void> {
    while (this.#address === '' && this.#how === null) await delay(100, undefined, { signal })
    if (this.#how !== null) throw new Error(this.#how)
  }

  async healthy(patience: number, signal: AbortSignal): Promise<void> {
    const late = performance.now() + patience * 1000
    while (this.#how === null) {
      if (performance.now() > late) throw new Error(`it was not healthy within ${patience} seconds`)
      if (await this.#look()) return
      await delay(lookEvery, undefined, { signal })
    }
    throw new Error(this.#how)
  }

  async stop(): Promise<void> {
    await this.#hosts.stop(this.#id, { grace })
    this.#left.abort()
    this.#forget()
    await this.ended
  }

  async #look(): Promise<boolean> {
    const signal = AbortSignal.timeout(healthPatience)
    const answer = await fetch(`${this.#address}/health`, { signal }).catch(() => null)
    if (answer === null) return false
    if (answer.ok) return true
    const { data } = startingSchema.safeParse(await answer.json().catch(() => null))
    if (data === undefined) return false
    this.tail = data.tail
    if (answer.status === 500) throw new Error(data.note)
    this.#onProgress(data.note)
    return false
  }

  async #watch(): Promise<void> {
    while (!this.#left.signal.aborted) {
      const [host] = await this.#hosts.describe([this.#id])
      if (host === undefined || host.status === 'stopped') {
        this.#how = host?.reason ?? 'its machine is lost'
        return
      }
      this.#address = host.address ?? this.#address
      await delay(lookEvery, undefined, { signal: this.#left.signal }).catch(() => undefined)
    }
  }
}
