import { type MachineLoad, machineSchema, type WorkerMachine } from '../contracts/machine.ts'
import { isDamage } from '../world/damage-book.ts'
import { pagesOf } from '../world/pages-of.ts'
import type { LedgerCondition, LedgerItem, World } from '../world/ports.ts'
import { ledgerKeys } from './keys.ts'
import { type CountedAt, countedFrom, momentOf, passedSince } from './runs/run-clock.ts'

/** Seconds that a worker counts as alive after a heartbeat, and between heartbeats. */
export const heartbeat = { seconds: 30, every: 8 }

const endedAt = 0

/** Notes that a worker has ended. What it sent until then may still arrive: sweeps count their wait from here. */
export async function retireWorker({ ledger }: Pick<World, 'ledger'>, worker: string): Promise<void> {
  const key = ledgerKeys.worker(worker)
  if ((await ledger.get(key))?.expires === endedAt) return
  await ledger.update({ key, set: { expires: endedAt }, remove: ['found_dead_at'] })
}

export interface Announcement {
  code?: string
  machine?: WorkerMachine
  load?: MachineLoad
}

export async function enlistWorker(world: World, worker: string, announced?: Announcement): Promise<void> {
  await world.ledger.update({ ...beatOf(world, worker, announced), remove: ['settled', 'found_dead_at'] })
}

/** Renews a worker's heartbeat. @returns false if it was presumed dead, and its leases were returned */
export async function sendHeartbeat(
  world: World,
  worker: string,
  announced?: Announcement,
): Promise<boolean> {
  const isListed: LedgerCondition[] = [{ is: 'present' }, { is: 'absent', attribute: 'settled' }]
  const { ok } = await world.ledger.update({
    ...beatOf(world, worker, announced?.load && { load: announced.load }),
    remove: ['found_dead_at'],
    if: isListed,
  })
  if (!ok) await enlistWorker(world, worker, announced)
  return ok
}

function beatOf({ clock }: World, worker: string, announced: Announcement = {}) {
  const set = { expires: clock.now() + heartbeat.seconds * 1000, ...announced }
  return { key: ledgerKeys.worker(worker), set: set as LedgerItem }
}

/**
 * True if a heartbeat still counts. One with a far longer validity than any has was sent before the clock was set
 * back: a live worker has sent another within seconds.
 */
function isFuture(expires: number, now: number): boolean {
  return expires > now && expires <= now + 2 * heartbeat.seconds * 1000
}

export async function isAlive(world: World, worker: string): Promise<boolean> {
  const row = await readWorker(world, worker)
  return row !== 'damaged' && isFuture(Number(row?.expires), world.clock.now())
}

/** The row of a worker. A damaged one counts as a dead worker's, and stays until it is mended. */
async function readWorker(
  { ledger }: Pick<World, 'ledger'>,
  worker: string,
): Promise<LedgerItem | null | 'damaged'> {
  try {
    return await ledger.get(ledgerKeys.worker(worker))
  } catch (error) {
    if (isDamage(error)) return 'damaged'
    throw error
  }
}

/**
 * Milliseconds for which a worker stays listed after it was settled, by this process's steady clock; and by the wall
 * clock.
 */
const forgottenAfter = { steady: 4 * heartbeat.seconds * 1000, wall: 24 * 3600 * 1000 }

/**
 * The times since which a process has known workers to be dead, and to be settled, by its steady clock:
 * `performance.now()`.
 */
export interface DeadWorkerTimes {
  found: Map<string, number>
  settled: Map<string, number>
}

/**
 * Milliseconds since a worker was found dead: by this process's steady clock, and for the time before its first check
 * by the machine's steady clock. On another machine, or after a restart of this one, by the date.
 */
export async function timeSinceFoundDead(
  { clock, ledger }: World,
  worker: string,
  { found }: DeadWorkerTimes,
): Promise<number> {
  const steady = performance.now()
  const known = found.get(worker)
  const key = ledgerKeys.worker(worker)
  const row = await readWorker({ ledger }, worker)
  if (row === 'damaged') {
    found.set(worker, known ?? steady)
    return steady - (known ?? steady)
  }
  const at = momentOf(clock)
  const mark = readMark(row?.found_dead_at)
  // A worker that came back has removed the mark.
  if (known !== undefined && (row === null || mark !== null)) return steady - known
  if (mark === null) {
    const set = { found_dead_at: countedFrom(at) ?? at.now }
    await ledger.update({ key, set, if: [{ is: 'present' }] })
  }
  const waited = mark === null ? 0 : Math.abs(passedSince(mark, at))
  found.set(worker, steady - waited)
  return waited
}

/** Older versions, and worlds without a steady clock, store the date alone. */
function readMark(stored: unknown): CountedAt | null {
  if (stored === undefined) return null
  if (typeof stored === 'number') return { now: stored, of: '', milliseconds: 0 }
  return stored as CountedAt
}

/**
 * Removes a dead worker from the list, once its leases are settled. One not known to have ended stays for a while,
 * with a note for itself: it may only have been slow, or the clock was set, and then it reserves calls until it reads
 * that note with its next heartbeat. If it dies before, the next sweeps find those calls. No wall clock measures this
 * time: one set an hour forward would make every worker seem long dead.
 * @param before - called before the worker is removed
 */
export async function forgetWorker(
  { clock, ledger }: World,
  worker: string,
  { found, settled }: DeadWorkerTimes,
  before: () => Promise<void>,
): Promise<void> {
  const key = ledgerKeys.worker(worker)
  const row = await readWorker({ ledger }, worker)
  if (row === null || row === 'damaged') return
  const expires = Number(row.expires)
  const unchanged: LedgerCondition[] = [{ attribute: 'expires', is: 'equal', value: expires }]
  const now = performance.now()
  const since = row.settled === true ? (settled.get(worker) ?? now) : now
  const isLongSettled = now - since >= forgottenAfter.steady || expires <= clock.now() - forgottenAfter.wall
  if (expires === endedAt || isLongSettled) {
    await before()
    settled.delete(worker)
    found.delete(worker)
    await ledger.update({ key, delete: true, if: unchanged })
  } else {
    settled.set(worker, since)
    await ledger.update({ key, set: { settled: true }, if: unchanged })
  }
}

/**
 * False for a dead worker of a service's machine whose end the service did not see: it died with the service, as when
 * the machine restarts.
 */
export async function diedByItself(world: Pick<World, 'ledger'>, worker: string): Promise<boolean> {
  const row = await readWorker(world, worker)
  if (row === null || row === 'damaged') return true
  const { data } = machineSchema.safeParse(row.machine)
  return data?.kind !== 'service' || Number(row.expires) === endedAt
}

/** True for a worker without a heartbeat that is not known to have ended: it may only stand still. */
export async function mayReturn(world: Pick<World, 'ledger'>, worker: string): Promise<boolean> {
  const row = await readWorker(world, worker)
  return row !== null && row !== 'damaged' && Number(row.expires) !== endedAt
}

/** A worker's row. Its tenant is that of the key with which it joined; absent: the service's own. */
export interface WorkerRow {
  id: string
  isAlive: boolean
  expires: number
  code?: unknown
  machine?: unknown
  load?: unknown
  tenant?: unknown
}

export async function* workerRows(
  { clock, ledger }: Pick<World, 'ledger' | 'clock'>,
  onDamage?: (worker: string, error: unknown) => void,
): AsyncGenerator<WorkerRow> {
  for await (const page of pagesOf(ledger, 'workers', undefined, undefined, onDamage)) {
    for (const { sort: id, item } of page) {
      const expires = Number(item.expires)
      yield { ...item, id, expires, isAlive: isFuture(expires, clock.now()) }
    }
  }
}

export async function hasWorkerOf(
  world: Pick<World, 'ledger' | 'clock'>,
  code: string,
  owner: string,
): Promise<boolean> {
  for await (const { code: other, isAlive, load, tenant } of workerRows(world, () => undefined)) {
    if (!isAlive || other !== code || (tenant !== undefined && tenant !== owner)) continue
    const { leaving } = (load ?? {}) as Partial<MachineLoad>
    if (leaving !== true) return true
  }
  return false
}

/** A worker whose row is damaged counts as dead. @param onDamage called once for each such row */
export async function listWorkers(
  world: Pick<World, 'ledger' | 'clock'>,
  onDamage: (error: unknown) => void = () => undefined,
): Promise<{ alive: Set<string>; dead: string[] }> {
  const alive = new Set<string>()
  const dead: string[] = []
  const damaged = new Map<string, unknown>()
  for await (const { id, isAlive: lives } of workerRows(world, (name, error) => damaged.set(name, error))) {
    if (lives) alive.add(id)
    else dead.push(id)
  }
  for (const error of damaged.values()) onDamage(error)
  return { alive, dead: [...dead, ...damaged.keys()] }
}
