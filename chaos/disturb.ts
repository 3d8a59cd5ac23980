import { setTimeout as delay } from 'node:timers/promises'
import type { ChaosCluster } from './chaos-cluster.ts'
import { signal, trainersOf } from './child-processes.ts'
import { allWell, type Control, writeControl } from './inject/control.ts'
import type { KindId } from './kinds.ts'
import type { ModelEndpoint, StormKind } from './model-endpoint.ts'
import type { Step } from './schedule.ts'
import type { ServiceProcess } from './service-process.ts'

/** Milliseconds; `control`: until every process follows a changed control file. */
const times = {
  start: 2200,
  answered: 300,
  close: 400,
  killWrite: 4000,
  control: 500,
  wait: 30_000,
  look: 50,
}
const mostClockJumpMilliseconds = 3_600_000
const mostCommits = 40

const storms: readonly string[] = ['limit', 'error', 'hang-up', 'garbage', 'slow', 'refuse']

/**
 * Applies a schedule to a service. Lasting disturbances run concurrently with later ones. Those that end a process
 * are sequential.
 */
export class Disturber {
  readonly #service: ServiceProcess
  readonly #endpoint: ModelEndpoint
  readonly #controlPath: string
  readonly #data: string
  readonly #command: () => number | null
  readonly #cluster: ChaosCluster | null
  #control: Control = allWell
  readonly #lasting = new Set<Promise<void>>()
  kills = 0

  constructor(
    service: ServiceProcess,
    endpoint: ModelEndpoint,
    where: { control: string; data: string; command: () => number | null; cluster: ChaosCluster | null },
  ) {
    this.#service = service
    this.#endpoint = endpoint
    this.#controlPath = where.control
    this.#data = where.data
    this.#command = where.command
    this.#cluster = where.cluster
    writeControl(where.control, allWell)
  }

  /**
   * True if writes to the data folder failed since a moment of `performance.now()`: then the service may report it.
   */
  hasStorageFailed(since: number): boolean {
    return this.#storageFailedUntil >= since
  }
  #storageFailedUntil = 0

  get isEndpointRefusing(): boolean {
    return this.#isRefusing
  }
  #isRefusing = false

  /** @param onHit called once it has met a target: short-lived processes are waited for while later steps go on */
  async do(step: Step, onHit: () => void): Promise<void> {
    const seldom = this.#seldomProcesses(step.kind)
    if (seldom !== null) this.#lieInWait(seldom, step, onHit)
    else if (await this.#act(step)) onHit()
  }

  async #act(step: Step): Promise<boolean> {
    const { kind, strength } = step
    if (storms.includes(kind)) return this.#storm(step, kind as StormKind)
    switch (kind) {
      case 'storage':
        return this.#last(step, { storage: 0.05 + strength * 0.4 })
      case 'disk-full':
        return this.#last(step, { full: true })
      case 'duplicates':
        return this.#last(step, { duplicates: 0.2 + strength * 0.5 })
      case 'reorder':
        return this.#last(step, { reorder: 0.2 + strength * 0.5 })
      case 'clock':
        return this.#last(step, { clock: Math.round((strength * 2 - 1) ** 3 * mostClockJumpMilliseconds) })
      default:
        return this.#endProcess(step, kind)
    }
  }

  async calm(): Promise<void> {
    this.#isCalm = true
    await Promise.all(this.#lasting)
    this.#set(allWell)
    await this.#endpoint.calm()
    await this.start()
  }

  async start(): Promise<void> {
    for (;;) {
      this.#service.launch()
      if (await this.#service.ready()) return
      await delay(100)
    }
  }

  async #endProcess({ strength, choice, lasts }: Step, kind: KindId): Promise<boolean> {
    const service = this.#service
    const workers = [...service.children.workers, ...(this.#cluster?.workers ?? [])]
    switch (kind) {
      case 'kill':
        return this.#killService()
      case 'kill-start': {
        await service.end('SIGKILL')
        service.launch()
        const late = strength < 0.7
        if (late) await delay((strength / 0.7) * times.start)
        else if (await service.ready()) await delay(choice * times.answered)
        return this.#killService(2)
      }
      case 'kill-close':
        if (await service.end('SIGTERM', strength * times.close)) await this.start()
        else await this.#killService()
        return true
      case 'restart':
        await service.end('SIGTERM')
        await this.start()
        return true
      case 'kill-write':
        return this.#killAtCommit([service.pid, ...workers], strength, choice)
      case 'kill-worker':
        return this.#killOne(workers, choice)
      case 'stall-worker': {
        const worker = pick(workers, choice)
        if (worker === undefined || !signal(worker, 'SIGSTOP')) return false
        this.#during(lasts, async () => void signal(worker, 'SIGCONT'))
        return true
      }
      case 'cut':
        await this.#cluster?.database.cutConnections()
        return true
      case 'crash':
        await this.#cluster?.database.stop('crash')
        await this.#cluster?.database.start()
        return true
      default:
        throw new Error(`${kind} ends no process.`)
    }
  }

  #seldomProcesses(kind: KindId): (() => readonly number[]) | null {
    switch (kind) {
      case 'kill-host':
        return () => this.#service.children.hosts
      case 'kill-trainer':
        return () => trainersOf(this.#data)
      case 'kill-command':
        return () => [this.#command() ?? []].flat()
      default:
        return null
    }
  }

  #lieInWait(find: () => readonly number[], { kind, choice, strength }: Step, onHit: () => void): void {
    if (this.#awaited.has(kind)) return
    this.#awaited.add(kind)
    const until = performance.now() + times.wait
    const kill = async () => {
      while (find().length === 0 && performance.now() < until && !this.#isCalm) await delay(times.look)
      await delay(strength * times.start)
      if (this.#killOne(find(), choice)) onHit()
      this.#awaited.delete(kind)
    }
    this.#during(0, kill)
  }
  readonly #awaited = new Set<KindId>()
  #isCalm = false

  async #killService(count = 1): Promise<boolean> {
    await this.#service.end('SIGKILL')
    this.kills += count
    await this.start()
    return true
  }

  #killOne(processes: readonly number[], choice: number): boolean {
    const chosen = pick(processes, choice)
    if (chosen === undefined || !signal(chosen, 'SIGKILL')) return false
    this.kills += 1
    return true
  }

  async #killAtCommit(
    processes: readonly (number | null)[],
    strength: number,
    choice: number,
  ): Promise<boolean> {
    const pid = pick(processes, choice) ?? null
    if (pid === null) return false
    if (pid === this.#service.pid) this.#service.expectEnd()
    this.#set({ kill: { pid, commits: Math.floor(strength * mostCommits) } })
    const until = performance.now() + times.killWrite
    while (performance.now() < until && isThere(pid)) await delay(20)
    const isDead = !isThere(pid)
    this.#set({ kill: null })
    if (isDead) this.kills += 1
    else if (pid === this.#service.pid) return this.#killService()
    await this.start()
    return isDead
  }

  #storm({ lasts, strength }: Step, kind: StormKind): boolean {
    if (this.#isRefusing) return false
    this.#isRefusing = kind === 'refuse'
    this.#during(lasts, async () => {
      await this.#endpoint.calm()
      this.#isRefusing = false
    })
    void this.#endpoint.begin(kind, 0.3 + strength * 0.7)
    return true
  }

  #last({ lasts }: Step, change: Partial<Control>): boolean {
    this.#set(change)
    const [name] = Object.keys(change) as [keyof Control]
    this.#during(lasts, async () => this.#set({ [name]: allWell[name] }))
    return true
  }

  #set(change: Partial<Control>): void {
    this.#control = { ...this.#control, ...change }
    writeControl(this.#controlPath, this.#control)
    const isFailing = this.#control.full || this.#control.storage > 0
    if (isFailing) this.#storageFailedUntil = Number.POSITIVE_INFINITY
    else this.#storageFailedUntil = Math.min(this.#storageFailedUntil, performance.now() + times.control)
  }

  #during(milliseconds: number, end: () => Promise<void>): void {
    const lasting = delay(milliseconds)
      .then(end)
      .finally(() => this.#lasting.delete(lasting))
    this.#lasting.add(lasting)
  }
}

function isThere(pid: number): boolean {
  return signal(pid, 0 as unknown as NodeJS.Signals)
}

function pick<Value>(values: readonly Value[], choice: number): Value | undefined {
  return values[Math.floor(choice * values.length)]
}
