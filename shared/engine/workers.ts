import { pagesOf } from '../world/pages-of.ts'
import type { World } from '../world/ports.ts'
import { ledgerKeys } from './keys.ts'

/** How long a worker counts as alive after a heartbeat, and how often it sends one. */
export const heartbeat = { seconds: 30, every: 8 }

/** Puts a worker on the list of those that live. */
export async function enlistWorker(world: World, worker: string): Promise<void> {
  await world.ledger.update(beatOf(world, worker))
}

/** Says that a worker still lives. @returns false when it was not on the list any longer: it was taken for dead */
export async function sendHeartbeat(world: World, worker: string): Promise<boolean> {
  const { ok } = await world.ledger.update({ ...beatOf(world, worker), if: [{ is: 'present' }] })
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
