import type { World } from '../world/ports.ts'
import { ledgerKeys } from './keys.ts'
import { resendEpisodes } from './resend-episodes.ts'
import type { RunDefinitions } from './runs/run-definition.ts'
import type { RunRow } from './runs/run-row.ts'
import { type RunStore, toStatus } from './runs/run-store.ts'
import { topUp } from './runs/top-up.ts'
import { giveBack } from './spending/give-back.ts'
import { type ReservationRow, settleReservation } from './spending/reservation.ts'
import { deadWorkers } from './workers.ts'

/**
 * Asks an endpoint what became of a call whose answer was lost: what it cost, `unseen` when it never arrived, `unknown`
 * when the endpoint keeps no log.
 */
export type ReconcileCall = (
  model: Pick<ReservationRow, 'endpoint' | 'model'>,
  call: string,
) => Promise<{ input_tokens: number; output_tokens: number; cost: number | null } | 'unseen' | 'unknown'>

export interface SweepOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  reconcile: ReconcileCall
  /** The worker of this process, which is not dead. */
  self: string
  /** Seconds after which an episode that was queued and never taken up is sent again. */
  lostAfter: number
}

/**
 * Puts right what died on the way: settles the calls that dead workers left reserved, tops up every open run, sends
 * episodes again that nobody plays, and pauses runs whose time is up. Safe to run at any time, by several at once.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  const { world, self } = options
  const failures: unknown[] = []
  const attempt = (action: Promise<unknown>) => action.catch((error: unknown) => failures.push(error))
  for (const worker of await deadWorkers(world)) {
    if (worker !== self) await attempt(settleDeadWorker(options, worker))
  }
  for await (const run of sortsOf(world, 'open-runs')) await attempt(sweepRun(options, run))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} things could not be put right.`)
}

async function sweepRun({ world, store, definitions, lostAfter }: SweepOptions, run: string): Promise<void> {
  const row = await store.get(run)
  if (await pauseWhenTimeIsUp(world, store, row)) return
  if (row.status !== 'queued' && row.status !== 'running') return
  await topUp(world, store, definitions, run)
  await resendEpisodes(world, run, world.clock.now() - lostAfter * 1000)
}

/** The keys of all items of a partition. */
async function* sortsOf(world: World, partition: string): AsyncGenerator<string> {
  for (let after: string | undefined, more = true; more; ) {
    const page = await world.ledger.query(partition, after === undefined ? {} : { after })
    for (const { sort } of page.items) yield sort
    after = page.items.at(-1)?.sort
    more = page.more
  }
}

/**
 * A call whose worker died is counted by the endpoint's own log where it keeps one, and else as if it had cost what it
 * could at most.
 */
async function settleDeadWorker({ world, reconcile }: SweepOptions, worker: string): Promise<void> {
  const { partition } = ledgerKeys.reservation(worker, '')
  for (let more = true; more; ) {
    const page = await world.ledger.query(partition, { limit: 100 })
    for (const { sort: call, item } of page.items) {
      const row = item as ReservationRow
      const known = await reconcile(row, call)
      const spent = known === 'unseen' ? null : known === 'unknown' ? 'in full' : { ...known, lost: true }
      await settleReservation(world, worker, call, row, spent)
    }
    more = page.items.length > 0
  }
  for await (const run of sortsOf(world, ledgerKeys.holding(worker, '').partition)) {
    await giveBack(world, run, worker)
    await world.ledger.update({ key: ledgerKeys.holding(worker, run), delete: true })
  }
  await world.ledger.update({ key: ledgerKeys.worker(worker), delete: true })
}

async function pauseWhenTimeIsUp(world: World, store: RunStore, row: RunRow): Promise<boolean> {
  const now = world.clock.now()
  if (row.cap_time === null || row.running_since === null) return false
  if (row.running_milliseconds + now - row.running_since < row.cap_time) return false
  const reason = `limits.time reached: the run has been running for ${row.cap_time / 1000} seconds. Resume with a higher limits.time.`
  await store.change(row.id, (latest) =>
    latest.status === 'running' ? toStatus(latest, 'paused', reason, now) : null,
  )
  return true
}
