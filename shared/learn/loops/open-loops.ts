import { hash } from 'node:crypto'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { List, ListQuery } from '../../core/contracts/list.ts'
import type { Loop, LoopRequest, LoopSplits, ResumeLoop } from '../../core/contracts/loop.ts'
import type { LoopPlan, LoopReport } from '../../core/contracts/loop-report.ts'
import { checkTenant } from '../../core/contracts/tenant.ts'
import { newIdentifier } from '../../core/engine/identifiers.ts'
import { countedFrom, type Moment, momentOf } from '../../core/engine/runs/run-clock.ts'
import type { World } from '../../core/world/ports.ts'
import { type LoopLedger, loopLedger } from './loop-ledger.ts'
import type { LoopPorts } from './loop-ports.ts'
import { countLoop, type LoopState, loopRanFor } from './loop-state.ts'

/** A message of a loop in the queue `jobs`. `look` numbers the polls, so of two messages only one has a successor. */
export interface NextLook {
  loop: string
  look?: number
  delay: number
}

export interface TenantLoops {
  /**
   * One tenant's loops. Those of other tenants are `not_found`.
   *
   * @throws EspalierError `invalid_request` for an invalid tenant name
   */
  of(tenant: string): Loops
  readonly handler: {
    /** Polls a loop once. @returns the next polls; none if the loop has ended or waits to be resumed */
    advance(job: { id: string; look: number | undefined; isRepeated: boolean }): Promise<NextLook[]>
    /** Pauses a loop that no poll could advance, with the reason. It can be resumed. */
    giveUp(id: string, reason: string): Promise<void>
  }
}

export interface Loops {
  /**
   * Begins a loop and returns immediately. The same key and request return the first call's loop.
   *
   * @throws EspalierError naming the field at fault; `idempotency_key_reused` for a known key with another request
   */
  create(request: LoopRequest, options?: { idempotencyKey?: string }): Promise<Loop>
  /** Lists the stages that `create` would play. Stores nothing. @throws EspalierError as `create` does */
  plan(request: LoopRequest): Promise<LoopPlan>
  get(loop: string): Promise<Loop>
  list(query: ListQuery): Promise<List<Loop>>
  report(loop: string): Promise<LoopReport>
  /**
   * Pauses the stage in progress.
   *
   * @throws EspalierError `not_found`; `invalid_state` for a loop that has ended
   */
  pause(loop: string): Promise<Loop>
  /**
   * Resumes the paused stage, or retries the failed one.
   *
   * @throws EspalierError `not_found`; `invalid_state` for a loop that is not paused; `invalid_request` for an
   * exhausted cap
   */
  resume(loop: string, change?: ResumeLoop): Promise<Loop>
  /**
   * Ends the loop for good, and the stage in progress. Its runs, datasets and models stay.
   *
   * @throws EspalierError `not_found`; `invalid_state` for a loop that has ended otherwise
   */
  cancel(loop: string): Promise<Loop>
}

export interface LoopNeeds {
  world: Pick<World, 'clock' | 'ledger' | 'objects'>
  send(next: NextLook): Promise<void>
  parts(tenant: string): LoopPorts
}

/** A list of ids fits. A request names a whole environment by its split. */
const mostRequestBytes = 100_000

export function openLoops(needs: LoopNeeds): TenantLoops {
  const { world } = needs
  const ledger = loopLedger(world.ledger)
  return {
    of: (tenant) => new WorldLoops(needs, ledger, checkTenant(tenant)),
    handler: {
      async advance({ id, look, isRepeated }) {
        const state = await ledger.read(id, null)
        if (look !== undefined && look < state.look) {
          // The poll ran. If it crashed before it queued the next one, queue that again.
          const isLost = isRepeated && look === state.look - 1 && isGoing(state)
          return isLost ? [{ loop: id, look: state.look, delay: 1 }] : []
        }
        const { advanceLoop } = await import('./advance-loop.ts')
        const { objects, clock } = world
        const parts = needs.parts(state.tenant)
        const at = momentOf(clock)
        const { state: next, delay } = await advanceLoop({ parts, objects }, countLoop(state, at), at.now)
        const counted_at = next.running_since === null ? null : countedFrom(at)
        const written = await ledger.write({ ...next, counted_at, look: Math.max(state.look, look ?? 0) + 1 })
        if (written === null) return [{ loop: id, delay: 1 }]
        return delay === null ? [] : [{ loop: id, look: written.look, delay }]
      },
      async giveUp(id, reason) {
        await change(ledger, id, null, ({ loop, ...state }) => {
          if (!isGoing({ loop })) return null
          const running_seconds = Math.round(loopRanFor({ loop, ...state }, momentOf(world.clock)) / 100) / 10
          return {
            ...state,
            running_since: null,
            counted_at: null,
            loop: { ...loop, status: 'paused', reason, running_seconds },
          }
        })
      },
    },
  }
}

function isGoing({ loop }: Pick<LoopState, 'loop'>): boolean {
  return loop.status === 'queued' || loop.status === 'running'
}

class WorldLoops implements Loops {
  readonly #needs: LoopNeeds
  readonly #ledger: LoopLedger
  readonly #tenant: string

  constructor(needs: LoopNeeds, ledger: LoopLedger, tenant: string) {
    this.#needs = needs
    this.#ledger = ledger
    this.#tenant = tenant
  }

  async create(request: LoopRequest, { idempotencyKey }: { idempotencyKey?: string } = {}): Promise<Loop> {
    const key = idempotencyKey === undefined ? null : { value: idempotencyKey, digest: digestOf(request) }
    const earlier = key === null ? null : await this.#findEarlier(key)
    if (earlier !== null) return earlier
    const [{ checkLoop }, { countRenamed }] = await Promise.all([
      import('./check-loop.ts'),
      import('./count-renamed.ts'),
    ])
    const parts = this.#needs.parts(this.#tenant)
    const checked = await checkLoop(parts, request)
    refuseLongRequest(checked.request)
    const state = newState(checked.request, {
      tenant: this.#tenant,
      experts: await sortExperts(parts, request.experts),
      splits: await countRenamed(checked.tasks),
      now: this.#needs.world.clock.now(),
    })
    // Send the message first: a crash in between would otherwise leave a loop that never begins.
    await this.#needs.send({ loop: state.loop.id, delay: 1 })
    if (await this.#ledger.add(state, key)) return state.loop
    const rival = key === null ? null : await this.#findEarlier(key)
    if (rival === null) throw new Error(`The loop ${state.loop.id} could not be stored.`)
    return rival
  }

  async plan(request: LoopRequest): Promise<LoopPlan> {
    const { planLoop } = await import('./plan-loop.ts')
    return planLoop(this.#needs.parts(this.#tenant), request)
  }

  async get(loop: string): Promise<Loop> {
    return this.#show(await this.#ledger.read(loop, this.#tenant))
  }

  list(query: ListQuery): Promise<List<Loop>> {
    return this.#ledger.list(this.#tenant, query)
  }

  async report(loop: string): Promise<LoopReport> {
    const { buildLoopReport } = await import('./report/build-loop-report.ts')
    return buildLoopReport(this.#needs.parts(this.#tenant), await this.#ledger.read(loop, this.#tenant))
  }

  async pause(id: string): Promise<Loop> {
    return this.#change(id, (state, at) => {
      const { loop } = state
      if (loop.status === 'paused') return null
      if (!isGoing(state)) throw invalidState(loop, 'paused')
      const stopped = { ...loop, status: 'paused' as const, reason: 'Paused by request.' }
      return { ...state, ...stopClockOf(state, stopped, at), wanted: 'pause' }
    })
  }

  async resume(id: string, { limits = {} }: ResumeLoop = {}): Promise<Loop> {
    return this.#change(id, (state, at) => {
      const { loop } = state
      if (loop.status !== 'paused') throw invalidState(loop, 'resumed; only a paused loop can')
      const caps = { ...loop.request.limits, ...limits }
      refuseReachedCaps(loop, caps)
      const isBegun = loop.started_at !== null
      const request = { ...loop.request, limits: caps }
      const going = {
        ...loop,
        request,
        status: isBegun ? ('running' as const) : ('queued' as const),
        reason: null,
      }
      if (!isBegun) return { ...state, loop: going, running_since: null, counted_at: null, wanted: null }
      return { ...state, loop: going, running_since: at.now, counted_at: countedFrom(at), wanted: 'wake' }
    })
  }

  async cancel(id: string): Promise<Loop> {
    return this.#change(id, (state, at) => {
      const { loop } = state
      if (loop.status === 'cancelled') return null
      if (loop.status === 'succeeded' || loop.status === 'failed') throw invalidState(loop, 'cancelled')
      const ended_at = new Date(at.now).toISOString()
      const over = { ...loop, status: 'cancelled' as const, reason: 'Cancelled by request.', ended_at }
      return { ...state, ...stopClockOf(state, over, at), wanted: 'cancel' }
    })
  }

  /**
   * Records a change for the next poll. It queues that poll first, which finds nothing to do after a crash in
   * between.
   */
  async #change(id: string, decide: (state: LoopState, at: Moment) => LoopState | null): Promise<Loop> {
    const before = await this.#ledger.read(id, this.#tenant)
    const { clock } = this.#needs.world
    if (decide(before, momentOf(clock)) !== null) await this.#needs.send({ loop: id, delay: 2 })
    return this.#show(await change(this.#ledger, id, this.#tenant, (state) => decide(state, momentOf(clock))))
  }

  #show(state: LoopState): Loop {
    const running_seconds = Math.round(loopRanFor(state, momentOf(this.#needs.world.clock)) / 100) / 10
    return { ...state.loop, running_seconds }
  }

  async #findEarlier(key: { value: string; digest: string }): Promise<Loop | null> {
    const earlier = await this.#ledger.findByKey(this.#tenant, key.value)
    if (earlier === null) return null
    if (earlier.digest === key.digest) return this.get(earlier.loop)
    throw new EspalierError(
      'idempotency_key_reused',
      'This Idempotency-Key came before with another request. Send the same request, or a new key.',
    )
  }
}

/** Changes the stored state, and retries on concurrent writes. @returns the state, changed or as it was */
async function change(
  ledger: LoopLedger,
  id: string,
  tenant: string | null,
  decide: (state: LoopState) => LoopState | null,
): Promise<LoopState> {
  for (;;) {
    const state = await ledger.read(id, tenant)
    const next = decide(state)
    if (next === null) return state
    const written = await ledger.write(next)
    if (written !== null) return written
  }
}

type LoopClock = Pick<LoopState, 'loop' | 'running_since' | 'counted_at'>

function stopClockOf(state: LoopState, loop: Loop, at: Moment): LoopClock {
  const running_seconds = Math.round(loopRanFor(state, at) / 100) / 10
  return { loop: { ...loop, running_seconds }, running_since: null, counted_at: null }
}

function newState(
  request: LoopRequest,
  {
    tenant,
    experts,
    splits,
    now,
  }: Pick<LoopState, 'tenant' | 'experts'> & { splits: LoopSplits | null; now: number },
): LoopState {
  const loop: Loop = {
    id: newIdentifier('loop', now),
    object: 'loop',
    name: request.name ?? null,
    status: 'queued',
    reason: null,
    created_at: new Date(now).toISOString(),
    started_at: null,
    ended_at: null,
    running_seconds: 0,
    request,
    progress: { round: 0, rounds: request.settings.rounds ?? 1, stage: null, ref: null },
    rounds: [],
    control: request.control ? { model: null, policy: null, evaluation: null } : null,
    best: null,
    without_gain: 0,
    usage: { cost: 0, seconds: 0 },
    warnings: [],
    splits,
  }
  return { loop, tenant, revision: 1, look: 0, wanted: null, running_since: null, experts }
}

async function sortExperts({ runs }: LoopPorts, experts: readonly string[]): Promise<LoopState['experts']> {
  const sorted: LoopState['experts'] = { runs: [], trajectories: [] }
  for (const id of experts) sorted[(await isRun(runs, id)) ? 'runs' : 'trajectories'].push(id)
  return sorted
}

async function isRun(runs: LoopPorts['runs'], id: string): Promise<boolean> {
  try {
    await runs.get(id)
    return true
  } catch (error) {
    if (EspalierError.isInstance(error) && error.code === 'not_found') return false
    throw error
  }
}

function refuseReachedCaps({ running_seconds, usage }: Loop, { cost, time }: LoopRequest['limits']): void {
  const reached =
    cost !== undefined && (usage.cost ?? 0) >= cost
      ? (['cost', `$${usage.cost} are spent`] as const)
      : time !== undefined && running_seconds >= time
        ? (['time', `it has run for ${running_seconds} seconds`] as const)
        : null
  if (reached === null) return
  const [cap, why] = reached
  throw new EspalierError('invalid_request', `${why}: resume the loop with a higher limits.${cap}.`, {
    param: `limits.${cap}`,
  })
}

function refuseLongRequest(request: LoopRequest): void {
  if (JSON.stringify(request).length <= mostRequestBytes) return
  throw new EspalierError(
    'invalid_request',
    `The request is longer than ${mostRequestBytes} characters. Name tasks by split, range, types and limit in place of a long list of ids.`,
    { param: 'tasks' },
  )
}

function invalidState({ id, status }: Loop, wanted: string): EspalierError {
  return new EspalierError('invalid_state', `The loop ${id} is ${status} and cannot be ${wanted}.`, {
    param: 'loop',
  })
}

function digestOf(request: LoopRequest): string {
  return hash('sha256', JSON.stringify(request), 'hex')
}
