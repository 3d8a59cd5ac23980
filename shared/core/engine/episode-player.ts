import { setImmediate as rest } from 'node:timers/promises'
import type { Json, JsonObject } from '../contracts/json.ts'
import type { EpisodeLimit, EpisodeLimits } from '../contracts/limits.ts'
import { addUsage, noUsage, type Usage } from '../contracts/usage.ts'
import type { Random } from '../random/random.ts'
import { seededRandom } from '../random/seeded-random.ts'
import {
  type EffectOutcome,
  type EffectRequest,
  type EffectScope,
  ForeignWaitError,
  RepeatedKeyError,
} from './effect-scope.ts'
import { EpisodeStoppedError, type StopReason } from './episode-stopped-error.ts'
import type { Journal } from './journal.ts'
import { JournalFencedError } from './journal-fenced-error.ts'
import type { EffectRecord, JournalRecord, RequestRecord } from './journal-record.ts'
import { exhaustedLimit } from './limit-check.ts'
import { messageDigest, toRequestRecord } from './request-digest.ts'
import { type MeasuredEffect, SegmentClock } from './segment-clock.ts'
import { TurnLimit } from './turn-limit.ts'

export interface PlayerOptions {
  journal: Journal
  play: (scope: EffectScope) => Promise<void>
  steps: () => number
  limits: EpisodeLimits
  seed: (string | number)[]
  /**
   * Milliseconds that results wait for others in flight, so that concurrent requests share a segment. Until then a
   * crash loses them, so 0 commits immediately.
   * @default 0
   */
  gatherFor?: number
  sinceClaim?: () => number // In milliseconds.
  beforeCommit?: () => Promise<void>
  onCommit?: (records: readonly JournalRecord[]) => void
  subject?: string
}

export type PlayOutcome =
  | { type: 'ended'; limit: EpisodeLimit | null }
  | { type: 'left'; reason: StopReason; message: string }
  | { type: 'failed'; error: unknown; effect: string | null }
  | { type: 'diverged'; message: string }

const results = new TurnLimit(8)

// Journal lines after which a replay yields to the process's other work.
const restEvery = 200

interface Pending {
  key: string
  messages: EffectRequest['messages']
  record: RequestRecord
  perform: (signal: AbortSignal, leaving: AbortSignal) => Promise<EffectOutcome<Json>>
  deliver: (result: Json) => void
}

type Completed = MeasuredEffect & { pending: Pending; outcome: EffectOutcome<Json> }

/**
 * Plays an episode's function against its journal: first all committed records, in order, then, for further requests,
 * the world. A result is delivered only after its segment is committed. Between two deliveries the function runs
 * until it can do nothing more, so live and replay see the same order.
 */
export class EpisodePlayer implements EffectScope {
  readonly #options: PlayerOptions
  readonly #abort = new AbortController()
  readonly #leaving = new AbortController()
  readonly #committed = new Map<string, EffectRecord>()
  readonly #known = new Set<string>()
  readonly #recordedEntries: string[] = []
  readonly #pending = new Map<string, Pending>()
  readonly #asked = new Set<string>()
  #unwritten: JsonObject[] = []
  #written = 0
  #waiting: Pending[] = []
  #completed: Completed[] = []
  readonly #computing: Promise<(() => void) | null>[] = []
  #inFlight = 0
  #parked = false
  #live = false
  readonly #clock = new SegmentClock()
  #elapsed = 0
  #usage: Usage = noUsage
  #limit: EpisodeLimit | null = null
  #stopped: { reason: StopReason; message: string } | null = null
  #failure: { error: unknown; effect: string | null } | null = null
  #divergence: string | null = null
  #returned = false
  /** Later requests of the function, which did not wait for effects alone, do not start. */
  #over = false
  #wake: () => void = () => undefined

  constructor(options: PlayerOptions) {
    this.#options = options
  }

  get usage(): Usage {
    return this.#usage
  }

  /** Starts no further effect. Those in flight are awaited and committed, unless `abort` cuts them off. */
  stop(reason: StopReason, message: string): void {
    if (reason === 'fenced') this.#stopped = { reason, message }
    else this.#stopped ??= { reason, message }
    this.#leaving.abort()
    this.#wake()
  }

  abort(): void {
    this.#abort.abort()
  }

  async play(): Promise<PlayOutcome> {
    const { journal, play } = this.#options
    const { records } = journal.committed
    this.#index(records)
    Promise.resolve()
      .then(() => play(this))
      .then(() => {
        this.#returned = true
      })
      .catch((error: unknown) => {
        this.#failure ??= { error, effect: null }
      })
      .finally(() => this.#wake())
    await this.#settle()
    await this.#replay(records)
    if (this.#divergence === null) await this.#goOn()
    while (this.#inFlight > 0) await this.#change()
    this.#over = true
    await journal.close(this.#clock.lap([]).timing).catch((error: unknown) => this.#failed(error))
    return this.#outcome()
  }

  effect<Result extends Json>(
    key: string,
    request: EffectRequest,
    perform: (signal: AbortSignal, leaving: AbortSignal) => Promise<EffectOutcome<Result>>,
  ): Promise<Result> {
    if (this.#asked.has(key)) throw new RepeatedKeyError(key)
    this.#asked.add(key)
    const record = toRequestRecord(request)
    return new Promise<Result>((resolve) => {
      const deliver = (result: Json) => resolve(result as Result)
      const pending: Pending = { key, messages: request.messages, record, perform, deliver }
      const committed = this.#committed.get(key)
      if (committed && committed.request !== record.request) {
        this.#divergence ??= `The effect "${key}" asks for something else than the journal holds.`
      } else if (committed || !this.#isExhausted()) {
        this.#pending.set(key, pending)
        if (!committed) this.#start(pending)
      }
    })
  }

  compute<Result>(perform: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    return new Promise<Result>((resolve) => {
      const computed = Promise.resolve()
        .then(() => perform(this.#abort.signal))
        .then(
          (result) => () => resolve(result),
          (error: unknown) => {
            this.#parked = true
            if (!this.#isCalledOff(error)) this.#failure ??= { error, effect: null }
            return null
          },
        )
      this.#computing.push(computed)
    })
  }

  tokensOf(call: string, answer: number): Promise<readonly number[] | null> {
    return this.#options.journal.tokensOf(call, answer)
  }

  write(entry: JsonObject): void {
    const recorded = this.#recordedEntries[this.#written]
    this.#written += 1
    if (recorded === undefined) this.#unwritten.push(entry)
    else if (recorded !== JSON.stringify(entry)) {
      this.#divergence ??= `Entry ${this.#written} is not the one that the journal holds.`
    }
  }

  beforeStep(): Promise<void> {
    const { limits, steps } = this.#options
    if (limits.steps === undefined || steps() < limits.steps) return Promise.resolve()
    this.#limit ??= 'steps'
    return new Promise(() => undefined)
  }

  random(key: string): Random {
    return seededRandom(...this.#options.seed, key)
  }

  elapsed(): number {
    return this.#elapsed
  }

  #index(records: readonly JournalRecord[]): void {
    for (const record of records) {
      if ('effect' in record) this.#committed.set(record.effect, record)
      else if ('entry' in record) this.#recordedEntries.push(JSON.stringify(record.entry))
      else if ('message' in record) this.#known.add(record.message)
      else if ('request' in record) this.#known.add(record.request)
    }
  }

  async #replay(records: readonly JournalRecord[]): Promise<void> {
    for (const [index, record] of records.entries()) {
      if (this.#divergence !== null || this.#failure) return
      if (index % restEvery === 0) await rest()
      if ('segment' in record) this.#elapsed = record.elapsed
      if (!('effect' in record)) continue
      const pending = this.#pending.get(record.effect)
      if (!pending) {
        this.#divergence ??= `The journal holds the effect "${record.effect}", which was not asked for.`
        return
      }
      await this.#deliver(pending, record.result, record.usage)
    }
    if (this.#written < this.#recordedEntries.length) {
      this.#divergence ??= `The journal holds ${this.#recordedEntries.length} entries, but only ${this.#written} were written again.`
    }
  }

  async #goOn(): Promise<void> {
    this.#live = true
    this.#clock.begin(this.#options.sinceClaim?.())
    for (const pending of this.#waiting.splice(0)) this.#start(pending)
    while (this.#divergence === null && (this.#completed.length > 0 || this.#inFlight > 0)) {
      if (this.#completed.length === 0) await this.#change()
      else {
        await this.#gather()
        if (!(await this.#commit())) return
      }
    }
    const isOver = this.#returned || this.#limit !== null
    if (isOver && !this.#failure && this.#unwritten.length > 0) await this.#append([])
  }

  async #gather(): Promise<void> {
    const { gatherFor = 0 } = this.#options
    if (gatherFor === 0) return
    const until = performance.now() + gatherFor
    while (this.#inFlight > 0 && this.#stopped === null && !this.#failure) {
      const left = until - performance.now()
      if (left <= 0) return
      const timer = setTimeout(() => this.#wake(), left)
      await this.#change()
      clearTimeout(timer)
    }
  }

  #start(pending: Pending): void {
    if (!this.#live) {
      this.#waiting.push(pending)
      return
    }
    if (this.#stopped || this.#failure || this.#over) {
      this.#parked = true
      return
    }
    this.#inFlight += 1
    const began = performance.now()
    Promise.resolve()
      .then(() => pending.perform(this.#abort.signal, this.#leaving.signal))
      .then(
        async (outcome) => {
          const ended = performance.now()
          await results.pass()
          const { waited = 0, held = 0 } = outcome
          this.#completed.push({ pending, outcome, began, ended, waited, held })
        },
        (error: unknown) => {
          this.#parked = true
          if (error instanceof EpisodeStoppedError) this.stop(error.reason, error.message)
          else if (!this.#isCalledOff(error)) this.#failure ??= { error, effect: pending.key }
        },
      )
      .finally(() => {
        this.#inFlight -= 1
        this.#wake()
      })
  }

  #isCalledOff(error: unknown): boolean {
    const isAbort = error instanceof Error && error.name === 'AbortError'
    return this.#abort.signal.aborted || (this.#leaving.signal.aborted && isAbort)
  }

  async #commit(): Promise<boolean> {
    const batch = this.#completed.splice(0)
    if (!(await this.#append(batch))) return false
    for (const { pending, outcome } of batch) await this.#deliver(pending, outcome.result, outcome.usage)
    return true
  }

  async #append(batch: readonly Completed[]): Promise<boolean> {
    const { journal } = this.#options
    const records: JournalRecord[] = this.#unwritten.splice(0).map((entry) => ({ entry }))
    records.push(...batch.flatMap((completed) => this.#toRecords(completed)))
    const { worked, timing } = this.#clock.lap(batch)
    try {
      const tokens = batch.flatMap(({ outcome }) => outcome.tokens ?? [])
      await this.#options.beforeCommit?.()
      this.#elapsed = (await journal.append(records, journal.elapsed + worked, tokens, timing)).elapsed
      this.#clock.committed()
      this.#options.onCommit?.(records)
      return true
    } catch (error) {
      this.#failed(error)
      return false
    }
  }

  #failed(error: unknown): void {
    if (error instanceof JournalFencedError) this.stop('fenced', error.message)
    else this.#failure ??= { error, effect: null }
  }

  #toRecords({ pending: { key, messages, record }, outcome: { result, usage } }: Completed): JournalRecord[] {
    const lines: JournalRecord[] = []
    if (!this.#known.has(record.request)) {
      this.#known.add(record.request)
      for (const message of messages ?? []) {
        const name = messageDigest(message)
        if (this.#known.has(name)) continue
        this.#known.add(name)
        lines.push({ message: name, value: message })
      }
      lines.push(record)
    }
    lines.push({ effect: key, request: record.request, result, ...(usage && { usage }) })
    return lines
  }

  async #deliver(pending: Pending, result: Json, usage: Usage | undefined): Promise<void> {
    this.#pending.delete(pending.key)
    if (usage) this.#usage = addUsage(this.#usage, usage)
    pending.deliver(result)
    await this.#settle()
  }

  async #settle(): Promise<void> {
    await turn()
    for (let next = this.#computing.shift(); next !== undefined; next = this.#computing.shift()) {
      const deliver = await next
      deliver?.()
      await turn()
    }
  }

  #isExhausted(): boolean {
    const { limits, steps } = this.#options
    const consumed = {
      usage: this.#usage,
      pending: this.#pending.size,
      steps: steps(),
      elapsed: this.#elapsed,
    }
    const limit = exhaustedLimit(limits, consumed)
    if (limit) this.#limit ??= limit
    return limit !== null
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #outcome(): PlayOutcome {
    const { subject } = this.#options
    if (this.#divergence !== null) {
      const why = subject === undefined ? '' : ` ${subject} ${notTheSame}`
      return { type: 'diverged', message: `${this.#divergence}${why}` }
    }
    if (this.#stopped?.reason === 'fenced') return { type: 'left', ...this.#stopped }
    if (this.#failure) return { type: 'failed', ...this.#failure }
    if (this.#stopped && this.#parked) return { type: 'left', ...this.#stopped }
    if (this.#returned) return { type: 'ended', limit: null }
    if (this.#limit) return { type: 'ended', limit: this.#limit }
    return { type: 'failed', error: new ForeignWaitError(subject ?? 'The episode'), effect: null }
  }
}

const notTheSame =
  'did not do the same again from the same answers: it may use Date.now, Math.random, or something that it keeps outside of its function. "espalier methods validate" finds out.'

/**
 * Resolves when every promise that can continue has done so: Node empties the whole microtask queue before it calls
 * the next tick's callbacks.
 */
function turn(): Promise<void> {
  return new Promise((resolve) => queueMicrotask(() => process.nextTick(resolve)))
}
