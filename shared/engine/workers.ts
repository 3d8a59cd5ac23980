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

export async function isAlive(world: World, worker: string): Promise<boolean> {
  const row = await world.ledger.get(ledgerKeys.worker(worker))
  return typeof row?.expires === 'number' && row.expires > world.clock.now()
}

/** Workers that sent heartbeats once: those that live, and those that have stopped. */
export async function listWorkers(world: World): Promise<{ alive: Set<string>; dead: string[] }> {
  const alive = new Set<string>()
  const dead: string[] = []
  for (let after: string | undefined, more = true; more; ) {
    const page = await world.ledger.query('workers', after === undefined ? {} : { after })
    for (const { sort, item } of page.items) {
      if (Number(item.expires) > world.clock.now()) alive.add(sort)
      else dead.push(sort)
    }
    after = page.items.at(-1)?.sort
    more = page.more
  }
  return { alive, dead }
}
