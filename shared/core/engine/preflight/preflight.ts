import { EspalierError } from '../../contracts/errors.ts'
import type { Meter } from '../../contracts/meter.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import { modelFailureOf } from '../../contracts/model-failure.ts'
import type { RunRequest } from '../../contracts/run.ts'
import { acquireLease, readLease, releaseLease } from '../../world/lease.ts'
import type { World } from '../../world/ports.ts'
import { EpisodeStoppedError } from '../episode-stopped-error.ts'
import { ledgerKeys } from '../keys.ts'
import { momentOf } from '../runs/run-clock.ts'
import type { RunPurpose } from '../runs/run-planner.ts'
import type { RunRow } from '../runs/run-row.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'
import type { Spending } from '../spending/spending.ts'
import { isAlive } from '../workers.ts'
import type { ProblemBook } from './problem-book.ts'

export interface Probe {
  choice: Pick<ModelChoice, 'endpoint' | 'id'>
  /** Tries once. @throws the error that prevented an answer */
  ask(options: { meter: Meter; signal: AbortSignal }): Promise<void>
}

/**
 * Returns a run's probes: one for each of its models. None if nothing can fail, as with the simulated model.
 * @throws EspalierError `unknown_method` or `method_unavailable` if this process cannot play the run
 */
export type Probes = (request: RunRequest, purpose: RunPurpose, tenant: string) => Probe[] | Promise<Probe[]>

export type PreflightVerdict = 'passed' | 'paused' | 'undecided'

export interface PreflightOptions {
  world: World
  store: RunStore
  spending: Spending
  problems: ProblemBook
  probes: Probes
  worker: string
  /** Milliseconds before the second try, the third, and so on. @default 10 s and 45 s */
  delays?: readonly number[]
}

// Milliseconds a model may take to answer its probe. A slower one is slow, not unreachable.
const patience = 60_000
const leaseFor = 180_000
/**
 * Probes each model of a run once before its first episode, and again when a call of an episode was refused. If
 * further calls are pointless, the run pauses with the provider's own words, and its episodes stay queued. One of all
 * workers probes; the run's item holds the verdict. The run pays for its probes, as for all calls.
 */
export class Preflight {
  readonly #options: PreflightOptions
  readonly #underWay = new Map<string, Promise<PreflightVerdict>>()
  readonly #stopping = new AbortController()

  constructor(options: PreflightOptions) {
    this.#options = options
  }

  stop(): void {
    this.#stopping.abort()
  }

  async before(row: RunRow, request: RunRequest): Promise<PreflightVerdict> {
    let probes: Probe[]
    try {
      probes = await this.#options.probes(request, row.purpose, row.tenant)
    } catch (error) {
      if (!isMethodMissing(error)) throw error
      return this.#once(row.id, () => this.#pause(row.id, error.message))
    }
    if (row.preflight === 'passed' || probes.length === 0) return 'passed'
    return this.#once(row.id, () => this.#first(row.id, probes))
  }

  async again(row: RunRow, request: RunRequest): Promise<PreflightVerdict> {
    if (row.status !== 'running') return 'paused'
    const probes = await this.#options.probes(request, row.purpose, row.tenant)
    return probes.length === 0 ? 'passed' : this.#once(row.id, () => this.#ask(row.id, probes))
  }

  #once(run: string, ask: () => Promise<PreflightVerdict>): Promise<PreflightVerdict> {
    const underWay = this.#underWay.get(run)
    if (underWay !== undefined) return underWay
    const asked = ask().finally(() => this.#underWay.delete(run))
    this.#underWay.set(run, asked)
    return asked
  }

  async #first(run: string, probes: readonly Probe[]): Promise<PreflightVerdict> {
    const { world, store, worker } = this.#options
    for (;;) {
      const term = { now: world.clock.now(), duration: leaseFor }
      const lease = await acquireLease(world.ledger, ledgerKeys.preflight(run), worker, term)
      try {
        const row = await store.get(run)
        if (row.preflight === 'passed') return 'passed'
        if (row.status !== 'queued' && row.status !== 'running') return 'paused'
        if (lease !== null) return await this.#ask(run, probes)
      } finally {
        if (lease !== null) await releaseLease(world.ledger, lease)
      }
      if (lease === null) await this.#releaseOfDead(run)
      if (!(await this.#sleep(500))) return 'undecided'
    }
  }

  /** A worker killed during a probe holds its lease for minutes, and longer if the clock was set back since. */
  async #releaseOfDead(run: string): Promise<void> {
    const { world } = this.#options
    const key = ledgerKeys.preflight(run)
    const held = await readLease(world.ledger, key)
    if (held !== null && !(await isAlive(world, held.holder))) await releaseLease(world.ledger, held)
  }

  async #ask(run: string, probes: readonly Probe[]): Promise<PreflightVerdict> {
    const { spending, store, world } = this.#options
    await store.change(run, (row) =>
      row.status === 'queued' ? toStatus(row, 'running', null, momentOf(world.clock)) : null,
    )
    try {
      for (const probe of probes) {
        const found = await this.#probe(run, probe)
        if (found === 'undecided') return found
        if (found !== null) return await this.#pause(run, found.refusal)
      }
    } catch (error) {
      // A cap that allows no call has paused the run.
      if (error instanceof EpisodeStoppedError) return 'paused'
      throw error
    } finally {
      await spending.settled(run)
    }
    await store.change(run, (row) =>
      row.preflight === 'passed' ? null : { set: { preflight: 'passed', last_problem: null } },
    )
    return 'passed'
  }

  /** @returns the provider's message if further calls are pointless; null if the model answers */
  async #probe(run: string, probe: Probe): Promise<{ refusal: string } | 'undecided' | null> {
    const { delays = [10_000, 45_000], problems } = this.#options
    for (let attempt = 0; ; attempt++) {
      const failed = await this.#try(run, probe)
      if (failed === null || failed === 'undecided') return failed
      const delay = failed.mayPass ? delays[attempt] : undefined
      if (delay === undefined) return { refusal: failed.message }
      const next = `try ${attempt + 1} of ${delays.length + 1}, next in ${Math.ceil(delay / 1000)} s`
      problems.note(run, null, `${failed.message.replace(/[.]$/, '')}; ${next}`)
      if (!(await this.#sleep(delay))) return 'undecided'
    }
  }

  async #try(run: string, probe: Probe): Promise<{ message: string; mayPass: boolean } | 'undecided' | null> {
    const deadline = AbortSignal.timeout(patience)
    const signal = AbortSignal.any([this.#stopping.signal, deadline])
    try {
      await probe.ask({ meter: this.#options.spending.meter(run, probe.choice), signal })
      return null
    } catch (error) {
      if (this.#stopping.signal.aborted) return 'undecided'
      if (deadline.aborted) return null
      const failure = modelFailureOf(error)
      if (failure === null) throw error
      if (failure === 'other') return null
      const message = error instanceof Error ? error.message : String(error)
      return { message, mayPass: failure === 'unreachable' || failure === 'no_answer' }
    }
  }

  async #pause(run: string, refusal: string): Promise<PreflightVerdict> {
    const { store, world } = this.#options
    const reason = `${refusal} Mend that and resume the run: nothing was lost.`
    await store.change(run, (row) => {
      if (row.status !== 'running' && row.status !== 'queued') return null
      const change = toStatus(row, 'paused', reason, momentOf(world.clock))
      const last_problem = { message: refusal, at: new Date(world.clock.now()).toISOString() }
      return { ...change, set: { ...change.set, preflight: null, last_problem } }
    })
    return 'paused'
  }

  async #sleep(milliseconds: number): Promise<boolean> {
    const { signal } = this.#stopping
    try {
      await this.#options.world.clock.sleep(milliseconds, signal)
      return true
    } catch (error) {
      if (signal.aborted) return false
      throw error
    }
  }
}

/**
 * True if a run's method is missing, as when its file was moved: no episode of the run can be played, and none is at
 * fault.
 */
function isMethodMissing(error: unknown): error is EspalierError {
  return (
    EspalierError.isInstance(error) &&
    (error.code === 'unknown_method' || error.code === 'method_unavailable')
  )
}
