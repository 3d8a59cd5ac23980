import { setTimeout as delay } from 'node:timers/promises'
import type { World } from '../../world/ports.ts'
import { EpisodeStoppedError } from '../episode-stopped-error.ts'
import { ledgerKeys } from '../keys.ts'
import { momentOf } from '../runs/run-clock.ts'
import type { RunRow } from '../runs/run-row.ts'
import { type RunStore, toStatus } from '../runs/run-store.ts'
import { Serially } from '../serially.ts'
import { type Amount, minus, noAmount, plus, times } from './amount.ts'
import { type Caps, explainCap, explainUnpriced, leaseUnder, readCaps } from './caps.ts'
import { giveBack } from './give-back.ts'
import { readSpending } from './spending-row.ts'

export interface AllowanceOptions {
  world: World
  store: RunStore
  run: string
  worker: string
  reclaim: () => Promise<boolean>
  onCaps: (row: RunRow, caps: readonly Caps[]) => void
  isNear: () => boolean
}

const returnLooks = { most: 10, every: 200 }

/**
 * One worker's allowance from the caps of one run and its tenant. It leases amounts in the ledger and spends them
 * locally, so that one ledger request covers many calls, and all leases together never exceed a cap. Without caps it
 * leases nothing.
 */
export class Allowance {
  readonly #options: AllowanceOptions
  #caps: Caps[] | null = null
  #free: Amount = noAmount
  #taken: Amount = noAmount
  #blocks = 0
  #asking: Promise<void> | null = null
  /** Leasing and returning take turns: an amount leased but not yet known here must not count as returned. */
  readonly #turns = new Serially()
  #returns = 0
  #returnLooks = 0
  #returned: (() => void)[] = []

  constructor(options: AllowanceOptions) {
    this.#options = options
  }

  get isIdle(): boolean {
    return this.#blocks === 0
  }

  /**
   * Takes the amount for as many calls as the lease covers: at least one, at most `calls`.
   * @throws EpisodeStoppedError if a cap forbids even one, or the cost is unknown under the tenant's cap, after pausing
   * the run with the reason
   */
  async take(wanted: Amount, calls: number): Promise<number> {
    while (!this.#covers(wanted)) {
      this.#asking ??= this.#ask(wanted).finally(() => {
        this.#asking = null
      })
      await this.#asking
    }
    const covered = Math.min(calls, this.#fits('cost', wanted), this.#fits('tokens', wanted))
    const amount = times(wanted, covered)
    this.#free = minus(this.#free, amount)
    this.#taken = plus(this.#taken, amount)
    this.#blocks += 1
    return covered
  }

  settle(released: Amount, spent: Amount, isOver: boolean): void {
    this.#taken = minus(this.#taken, released)
    this.#free = plus(this.#free, minus(released, spent))
    if (isOver) this.#blocks -= 1
    this.wake()
  }

  wake(): void {
    this.#returns += 1
    for (const wake of this.#returned.splice(0)) wake()
  }

  async update(row: RunRow): Promise<void> {
    if (this.#caps === null) return
    const { onCaps, world } = this.#options
    const caps = await readCaps(world, row)
    onCaps(row, caps)
    if (!this.#isOutdatedBy(caps)) return
    await this.#options.reclaim()
    await this.#renew()
  }

  async giveBack(): Promise<void> {
    await this.#turns.run('lease', () => this.#giveBack())
  }

  async #giveBack(): Promise<void> {
    const { world, store, run, worker } = this.#options
    this.#free = noAmount
    await giveBack(world, await store.get(run), worker, () => plus(this.#taken, this.#free))
  }

  #isOutdatedBy(caps: readonly Caps[]): boolean {
    const known = this.#caps
    return known !== null && caps.some(({ revision }, index) => revision !== known[index]?.revision)
  }

  async #renew(): Promise<void> {
    this.#caps = null
    await this.giveBack()
  }

  #covers(wanted: Amount): boolean {
    return this.#caps !== null && this.#fits('cost', wanted) >= 1 && this.#fits('tokens', wanted) >= 1
  }

  #fits(cap: 'cost' | 'tokens', wanted: Amount): number {
    const isCapped = this.#caps?.some((caps) => caps[`cap_${cap}`] !== null)
    return !isCapped || wanted[cap] === 0
      ? Number.POSITIVE_INFINITY
      : Math.floor(this.#free[cap] / wanted[cap])
  }

  async #ask(wanted: Amount): Promise<void> {
    const { world, store, run, onCaps, reclaim } = this.#options
    const returns = this.#returns
    const row = await store.get(run)
    if (row.status !== 'running') throw new EpisodeStoppedError('paused', `The run is ${row.status}.`)
    const caps = await readCaps(world, row)
    onCaps(row, caps)
    if (this.#isOutdatedBy(caps)) return this.#renew()
    const isUnpriced = !row.priced && caps.some(({ of, cap_cost }) => of === 'tenant' && cap_cost !== null)
    if (isUnpriced) await this.#stop(row, explainUnpriced(row.tenant))
    this.#caps = caps
    if (this.#covers(wanted)) return
    const found = leaseUnder(caps, wanted, this.#free)
    if ('lease' in found) {
      this.#returnLooks = 0
      await this.#turns.run('lease', () => this.#lease(row, caps, found.lease))
    } else if ((await reclaim()) || this.#returns !== returns) return
    else if (this.#blocks > 0) await new Promise<void>((resolve) => this.#returned.push(resolve))
    else if (await this.#mayReturn(row)) return
    else await this.#pause(row, found.reached, { cap: found.cap, wanted: wanted[found.cap] })
  }

  async #mayReturn(row: RunRow): Promise<boolean> {
    const { world, run, isNear } = this.#options
    if (!isNear() || this.#returnLooks >= returnLooks.most) return false
    const { leased_cost, leased_tokens, spent_cost, input_tokens, output_tokens } = await readSpending(
      world.ledger,
      run,
    )
    const others = minus(
      { cost: leased_cost - spent_cost, tokens: leased_tokens - input_tokens - output_tokens },
      plus(this.#free, this.#taken),
    )
    if (others.cost <= 0 && others.tokens <= 0) return false
    this.#returnLooks += 1
    await delay(returnLooks.every)
    return row.status === 'running'
  }

  async #lease(row: RunRow, all: Caps[], { cost, tokens }: Amount): Promise<void> {
    const { world, onCaps, run, worker } = this.#options
    const held = all.filter(({ cap_cost, cap_tokens }) => cap_cost !== null || cap_tokens !== null)
    const changes = held.map((caps) => {
      const added = {
        leased_cost: caps.cap_cost === null ? 0 : cost,
        leased_tokens: caps.cap_tokens === null ? 0 : tokens,
      }
      return {
        key: caps.key,
        add: added,
        if: [
          { attribute: 'revision', is: 'equal' as const, value: caps.revision },
          ...atMost('leased_cost', caps.cap_cost, added.leased_cost),
          ...atMost('leased_tokens', caps.cap_tokens, added.leased_tokens),
        ],
      }
    })
    const add = Object.fromEntries(
      held.flatMap(({ of }, index) => {
        const prefix = of === 'run' ? '' : 'tenant_'
        return Object.entries(changes[index]?.add ?? {}).map(([name, value]) => [`${prefix}${name}`, value])
      }),
    )
    const leased = await world.ledger.transact([...changes, { key: ledgerKeys.spending(run, worker), add }])
    if (!leased.ok) return
    this.#free = plus(this.#free, { cost, tokens })
    onCaps(
      row,
      all.map((caps) => ({
        ...caps,
        leased_cost: caps.leased_cost + (caps.cap_cost === null ? 0 : cost),
        leased_tokens: caps.leased_tokens + (caps.cap_tokens === null ? 0 : tokens),
      })),
    )
  }

  async #pause(row: RunRow, reached: Caps, { cap, wanted }: { cap: 'cost' | 'tokens'; wanted: number }) {
    const { world, run } = this.#options
    const total = await readSpending(world.ledger, run)
    const spentByRun = cap === 'cost' ? total.spent_cost : total.input_tokens + total.output_tokens
    const spent = reached.of === 'run' ? spentByRun : reached[`leased_${cap}`]
    // Only the amount that a tenant's workers hold is known.
    const reserved = reached.of === 'run' ? reached[`leased_${cap}`] - spentByRun : 0
    await this.#stop(
      row,
      explainCap(reached, cap, { spent, reserved, wanted, ended: [row.done, row.work_total] }),
    )
  }

  async #stop(row: RunRow, reason: string): Promise<never> {
    const { world, store, run } = this.#options
    await store.change(run, (latest) =>
      latest.status === 'running' && latest.revision === row.revision
        ? toStatus(latest, 'paused', reason, momentOf(world.clock))
        : null,
    )
    throw new EpisodeStoppedError('paused', reason)
  }
}

function atMost(attribute: string, cap: number | null, added: number) {
  return cap === null ? [] : [{ attribute, is: 'at_most' as const, value: cap - added }]
}
