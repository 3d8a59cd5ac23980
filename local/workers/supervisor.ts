import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../../functions/api/log.ts'
import type { LocalWorld } from '../../shared/core/world/local/open-local-world.ts'
import type { QueueName } from '../../shared/core/world/ports.ts'
import type { MessageFromWorker, WorkerAssignment } from './worker-messages.ts'
import { type WorkerEnd, type WorkerLimits, WorkerProcess } from './worker-process.ts'

export interface SupervisorOptions {
  count: number
  world: Pick<LocalWorld, 'ring' | 'hasReady' | 'damage'>
  work: Pick<WorkerAssignment, 'folder' | 'endpoints' | 'code' | 'capacity' | 'labels' | 'methodVersions'>
  limits: WorkerLimits
  onEnd: (worker: string, end: WorkerEnd) => Promise<void>
  log: Log
}

type Role = Pick<WorkerAssignment, 'duties' | 'builds' | 'capacity'>

const checkEvery = 1000
const soloIdleMilliseconds = 10_000
const failedStartMilliseconds = 10_000
const backOffMilliseconds = { first: 500, most: 30_000 }

/**
 * Keeps worker processes at work: starts them, passes rings of queues among them, ends those that stall or exceed
 * their memory, and replaces them. When an episode must run alone, it starts one more process, which plays one
 * episode at a time and leaves when there are no more.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  readonly #stopping = new AbortController()
  readonly #workers = new Map<WorkerProcess, 'ordinary' | 'solo'>()
  #loops: Promise<void>[] = []
  #wakeSolo: () => void = () => undefined

  constructor(options: SupervisorOptions) {
    this.#options = options
  }

  get workers(): { wanted: number; playing: number } {
    const playing = [...this.#workers].filter(([worker, role]) => role === 'ordinary' && worker.isPlaying)
    return { wanted: this.#options.count, playing: playing.length }
  }

  start(): void {
    const { count, work } = this.#options
    const ordinary: Role = {
      duties: ['episodes'],
      builds: true,
      capacity: Math.max(1, Math.ceil(work.capacity / count)),
    }
    this.#loops = [
      ...Array.from({ length: count }, () => this.#keep(ordinary)),
      this.#keepSolo(),
      this.#check(),
    ]
  }

  ring(queue: QueueName, from?: WorkerProcess): void {
    for (const worker of this.#workers.keys()) if (worker !== from) worker.send({ type: 'ring', queue })
    if (queue === 'alone') this.#wakeSolo()
  }

  async stop(grace: number): Promise<void> {
    this.#stopping.abort()
    this.#wakeSolo()
    await Promise.all([...this.#workers.keys()].map((worker) => worker.stop(grace)))
    await Promise.all(this.#loops)
  }

  async #keep(role: Role): Promise<void> {
    const { signal } = this.#stopping
    for (let shortLives = 0; !signal.aborted; ) {
      const end = await this.#run(role, 'ordinary')
      shortLives = end.lived < failedStartMilliseconds && !end.wasAsked ? shortLives + 1 : 0
      if (shortLives > 1)
        await this.#pause(
          Math.min(backOffMilliseconds.first * 2 ** (shortLives - 2), backOffMilliseconds.most),
        )
    }
  }

  async #keepSolo(): Promise<void> {
    const { signal } = this.#stopping
    for (let shortLives = 0; !signal.aborted; ) {
      if (!this.#hasAlone()) {
        await this.#untilAlone()
        continue
      }
      const end = await this.#run({ duties: ['alone'], builds: false, capacity: 1 }, 'solo')
      // An episode's crash is no failure of the process.
      const isFailure = end.lived < failedStartMilliseconds && !end.wasAsked && end.alone === null
      shortLives = isFailure ? shortLives + 1 : 0
      if (shortLives > 1)
        await this.#pause(
          Math.min(backOffMilliseconds.first * 2 ** (shortLives - 2), backOffMilliseconds.most),
        )
    }
  }

  async #run(role: Role, kind: 'ordinary' | 'solo'): Promise<WorkerEnd> {
    const { work, limits, log } = this.#options
    const { count } = this.#options
    const assignment = { ...work, ...role, workers: count, name: `worker-${randomUUID()}` }
    const idle = kind === 'solo' ? new IdleTimer(soloIdleMilliseconds, () => void worker.stop(5)) : null
    const worker: WorkerProcess = new WorkerProcess(assignment, limits, (message) => {
      if (message.type === 'ready') idle?.set(true)
      if (message.type === 'alone') idle?.set(message.episode === null)
      this.#hear(worker, message)
    })
    this.#workers.set(worker, kind)
    log({ level: 'info', event: 'worker.started', worker: worker.name, pid: worker.pid, kind })
    if (this.#stopping.signal.aborted) void worker.stop(0)
    const end = await worker.ended
    idle?.set(false)
    this.#workers.delete(worker)
    if (!end.wasAsked)
      log({ level: 'warn', event: 'worker.ended', worker: worker.name, evidence: end.evidence, ...end.alone })
    // If the service stops, its next start recovers the work: it may take long, and nothing waits for it.
    if (!this.#stopping.signal.aborted) await this.#putRight(worker.name, end)
    return end
  }

  async #putRight(worker: string, end: WorkerEnd): Promise<void> {
    for (let wait = 250; ; wait = Math.min(wait * 2, 10_000)) {
      try {
        return await this.#options.onEnd(worker, end)
      } catch (error) {
        this.#options.log({ level: 'error', event: 'worker.not_settled', worker, error: String(error) })
        if (this.#stopping.signal.aborted) return
        await this.#pause(wait)
      }
    }
  }

  #hear(worker: WorkerProcess, message: MessageFromWorker): void {
    if (message.type === 'log') this.#options.log(message.entry)
    if (message.type === 'damage') this.#options.world.damage.add(message.name)
    if (message.type !== 'ring') return
    this.#options.world.ring(message.queue)
    this.ring(message.queue, worker)
  }

  async #check(): Promise<void> {
    const { signal } = this.#stopping
    for (let last = performance.now(); !signal.aborted; ) {
      await this.#pause(checkEvery)
      const now = performance.now()
      const wasAsleep = now - last > 3 * checkEvery
      last = now
      await Promise.all([...this.#workers.keys()].map((worker) => worker.check(wasAsleep)))
    }
  }

  #hasAlone(): boolean {
    try {
      return this.#options.world.hasReady('alone')
    } catch (error) {
      this.#options.log({
        level: 'error',
        event: 'service.failed',
        what: 'looking for episodes',
        error: String(error),
      })
      return false
    }
  }

  async #untilAlone(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#wakeSolo = resolve
    const timer = setTimeout(resolve, checkEvery)
    await promise
    clearTimeout(timer)
  }

  async #pause(milliseconds: number): Promise<void> {
    const { signal } = this.#stopping
    await delay(milliseconds, undefined, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error
    })
  }
}

class IdleTimer {
  readonly #milliseconds: number
  readonly #onIdle: () => void
  #timer: NodeJS.Timeout | undefined

  constructor(milliseconds: number, onIdle: () => void) {
    this.#milliseconds = milliseconds
    this.#onIdle = onIdle
  }

  set(isIdle: boolean): void {
    clearTimeout(this.#timer)
    if (isIdle) this.#timer = setTimeout(this.#onIdle, this.#milliseconds)
  }
}
