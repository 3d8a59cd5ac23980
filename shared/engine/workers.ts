import { pagesOf } from '../world/pages-of.ts'
import type { LedgerCondition, World } from '../world/ports.ts'
import { ledgerKeys } from './keys.ts'

/** How long a worker counts as alive after a heartbeat, and how often it sends one. */
export const heartbeat = { seconds: 30, every: 8 }

/** Puts a worker on the list of those that live. */
export async function enlistWorker(world: World, worker: string): Promise<void> {
  await world.ledger.update({ ...beatOf(world, worker), remove: ['settled'] })
}

/** Says that a worker still lives. @returns false when it was taken for dead, and what it held was returned */
export async function sendHeartbeat(world: World, worker: string): Promise<boolean> {
  const isListed: LedgerCondition[] = [{ is: 'present' }, { is: 'absent', attribute: 'settled' }]
  const { ok } = await world.ledger.update({ ...beatOf(world, worker), if: isListed })
  if (!ok) await enlistWorker(world, worker)
  return ok
}

function beatOf({ clock }: World, worker: string) {
  return { key: ledgerKeys.worker(worker), set: { expires: clock.now() + heartbeat.seconds * 1000 } }
}

/**
 * Whether a heartbeat still counts. One that would count for much longer than any does was sent before the clock was set
 * back: a worker that lives has sent another within seconds.
 */
function isFuture(expires: number, now: number): boolean {
  return expires > now && expires <= now + 2 * heartbeat.seconds * 1000
}

export async function isAlive(world: World, worker: string): Promise<boolean> {
  const row = await world.ledger.get(ledgerKeys.worker(worker))
  return isFuture(Number(row?.expires), world.clock.now())
}

/** Milliseconds for which a worker stays on the list after its last heartbeat ran out. */
const forgottenAfter = 4 * heartbeat.seconds * 1000

/**
 * Takes a dead worker off the list, once what it held is settled. One whose death is recent stays, with a note for itself: it
 * may only have been slow, or its clock was set, and then it reserves calls until it reads that note with its next
 * heartbeat. Should it die before, the next sweeps find them.
 */
export async function forgetWorker({ clock, ledger }: World, worker: string): Promise<void> {
  const key = ledgerKeys.worker(worker)
  const longDead: LedgerCondition = {
    attribute: 'expires',
    is: 'at_most',
    value: clock.now() - forgottenAfter,
  }
  const { ok } = await ledger.update({ key, delete: true, if: [longDead] })
  if (!ok) await ledger.update({ key, set: { settled: true }, if: [{ is: 'present' }] })
}

/** Workers that sent heartbeats once: those that live, and those that have stopped. */
export async function listWorkers(world: World): Promise<{ alive: Set<string>; dead: string[] }> {
  const alive = new Set<string>()
  const dead: string[] = []
  for await (const page of pagesOf(world.ledger, 'workers')) {
    for (const { sort, item } of page) {
      if (isFuture(Number(item.expires), world.clock.now())) alive.add(sort)
      else dead.push(sort)
    }
  }
  return { alive, dead }
}
