import { pagesOf } from '../world/pages-of.ts'
import type { World } from '../world/ports.ts'
import type { Steward } from './ends/steward.ts'
import { ledgerKeys } from './keys.ts'
import { remainsPartition, removeRemains } from './remains.ts'
import { resendEpisodes } from './resend-episodes.ts'
import { finishCancelling } from './runs/cancel-run.ts'
import { countedUpTo, isCountDue, type Moment, momentOf, ranFor } from './runs/run-clock.ts'
import type { RunDefinitions } from './runs/run-definition.ts'
import type { RunRow } from './runs/run-row.ts'
import { type RunStore, toStatus } from './runs/run-store.ts'
import { topUp } from './runs/top-up.ts'
import { type Amount, noAmount, plus } from './spending/amount.ts'
import type { BlockRow } from './spending/call-block.ts'
import { foldSpending } from './spending/fold-spending.ts'
import { giveBack } from './spending/give-back.ts'
import { countArrived, type ReconcileCall, settleBlock } from './spending/settle-block.ts'
import {
  type DeadWorkerTimes,
  forgetWorker,
  isAlive,
  listWorkers,
  mayReturn,
  timeSinceFoundDead,
} from './workers.ts'

export interface SweepOptions {
  world: World
  store: RunStore
  definitions: RunDefinitions
  steward: Pick<Steward, 'tend'>
  reconcile: ReconcileCall
  self: string
  deadTimes: DeadWorkerTimes
  lostAfter: number
}

const mostRemoved = 50_000

/**
 * Repairs the effects of crashes. It settles the calls that dead workers left reserved, counts the ends that they did
 * not, tops up every open run, and resends episodes that no worker plays. It also finishes cancellations, pauses runs
 * whose time is up, and removes the remaining data of deleted items. Safe to run at any time, concurrently.
 */
export async function sweep(options: SweepOptions): Promise<void> {
  const { world, self } = options
  const failures: unknown[] = []
  const note = (error: unknown) => void failures.push(error)
  const attempt = (action: Promise<unknown>) => action.catch(note)
  const attemptEach = (partition: string, action: (sort: string) => Promise<unknown>) =>
    attempt(
      (async () => {
        for await (const sort of sortsOf(world, partition, note)) await attempt(action(sort))
      })(),
    )
  const dead = new Set<string>()
  await attempt(
    listWorkers(world, note).then((listed) => {
      for (const worker of listed.dead) if (worker !== self) dead.add(worker)
    }),
  )
  for (const worker of dead) await attempt(settleDeadWorker(options, worker))
  await attemptEach('open-runs', (run) => sweepRun(options, run, dead))
  await attemptEach(remainsPartition, (id) => removeRemains(world, id, mostRemoved))
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} things could not be put right.`)
}

async function sweepRun(
  { world, store, definitions, steward, lostAfter }: SweepOptions,
  run: string,
  dead: ReadonlySet<string>,
): Promise<void> {
  const found = await store.get(run)
  if (found.cancelling === true) return finishCancelling(world, store, run)
  await pauseWhenTimeIsUp(world, store, found)
  await steward.tend(run, dead)
  const row = await store.get(run)
  if (row.status !== 'queued' && row.status !== 'running') return
  await topUp(world, store, definitions, run)
  const now = world.clock.now()
  await resendEpisodes(world, run, Math.max(now - lostAfter * 1000, resumedAfter(row, now)))
}

/**
 * Messages from before a pause were dropped during it. Resuming sends them again; episodes it missed because of a
 * failure were queued no later than this.
 */
function resumedAfter({ running_since, started_at }: RunRow, now: number): number {
  const wasResumed = running_since !== null && started_at !== null && running_since > started_at
  // If the clock was set back since, every episode would seem to have been queued before.
  return wasResumed && running_since <= now ? running_since - 1 : Number.NEGATIVE_INFINITY
}

async function* sortsOf(
  world: World,
  partition: string,
  onDamage: (error: unknown) => void,
): AsyncGenerator<string> {
  const damaged = new Map<string, unknown>()
  const pages = pagesOf(world.ledger, partition, undefined, undefined, (sort, error) =>
    damaged.set(sort, error),
  )
  for await (const page of pages) yield* page.map(({ sort }) => sort)
  for (const [sort, error] of damaged) {
    onDamage(error)
    yield sort
  }
}

function fail(error: unknown): never {
  throw error
}

async function settleDeadWorker(
  { world, store, reconcile, deadTimes }: SweepOptions,
  worker: string,
): Promise<void> {
  // It may have come back since it was listed.
  if (await isAlive(world, worker)) return
  const waited = await timeSinceFoundDead(world, worker, deadTimes)
  const runs = new Set<string>()
  const unsettled = new Map<string, Amount>()
  const unseen = new Map<string, string>()
  let mayArrive = false
  const returns = await mayReturn(world, worker)
  for await (const page of pagesOf(world.ledger, ledgerKeys.reservation(worker, '').partition)) {
    for (const { sort, item } of page) {
      const block = item as BlockRow
      if (block.unseen !== undefined) {
        const left = await countArrived(world, worker, sort, block, { reconcile, waited })
        if (left === 'kept') mayArrive = true
        unseen.set(sort, block.run)
        continue
      }
      runs.add(block.run)
      const left = await settleBlock(world, worker, sort, block, { mayReturn: returns, reconcile, waited })
      if (left === 'unseen') unseen.set(sort, block.run)
      if (left !== 'kept') continue
      unsettled.set(block.run, plus(unsettled.get(block.run) ?? noAmount, block))
    }
  }
  for await (const run of sortsOf(world, ledgerKeys.holding(worker, '').partition, fail)) runs.add(run)
  for (const run of runs) {
    const kept = unsettled.get(run)
    if ((await world.ledger.get(ledgerKeys.run(run))) !== null) {
      await giveBack(world, await store.get(run), worker, () => kept ?? noAmount)
      if (kept !== undefined) continue
      await foldSpending(world, run, worker)
    }
    if (![...unseen.values()].includes(run))
      await world.ledger.update({ key: ledgerKeys.holding(worker, run), delete: true })
  }
  const forgetUnseen = async () => {
    for (const [sort, run] of unseen) {
      await world.ledger.update({ key: ledgerKeys.reservation(worker, sort), delete: true })
      await world.ledger.update({ key: ledgerKeys.holding(worker, run), delete: true })
    }
  }
  if (unsettled.size === 0 && !mayArrive) await forgetWorker(world, worker, deadTimes, forgetUnseen)
}

async function pauseWhenTimeIsUp(world: World, store: RunStore, row: RunRow): Promise<void> {
  if (row.running_since === null) return
  const at = momentOf(world.clock)
  if (row.cap_time === null || ranFor(row, at) < row.cap_time) {
    if (isCountDue(row, at)) await countTime(world, row, at)
    return
  }
  const reason = `limits.time reached: the run has been running for ${row.cap_time / 1000} seconds. Resume with a higher limits.time.`
  await store.change(row.id, (latest) =>
    latest.status === 'running' ? toStatus(latest, 'paused', reason, at) : null,
  )
}

/** Of two sweepers one counts; a change of the run's status counts by itself. */
async function countTime(world: World, row: RunRow, at: Moment): Promise<void> {
  await world.ledger.update({
    key: ledgerKeys.run(row.id),
    set: countedUpTo(row, at),
    if: [
      { attribute: 'status', is: 'equal', value: 'running' },
      { attribute: 'sequence', is: 'equal', value: row.sequence },
      { attribute: 'running_milliseconds', is: 'equal', value: row.running_milliseconds },
    ],
  })
}
