import type { World } from '../world/ports.ts'
import { ledgerKeys } from './keys.ts'

/** How long a worker counts as alive after a heartbeat, and how often it sends one. */
export const heartbeat = { seconds: 30, every: 8 }

/** Says that this worker lives. */
export async function sendHeartbeat(world: World, worker: string): Promise<void> {
  const expires = world.clock.now() + heartbeat.seconds * 1000
  await world.ledger.update({ key: ledgerKeys.worker(worker), set: { expires } })
}

export async function isAlive(world: World, worker: string): Promise<boolean> {
  const row = await world.ledger.get(ledgerKeys.worker(worker))
  return typeof row?.expires === 'number' && row.expires > world.clock.now()
}

/** Workers that sent heartbeats once and have stopped. */
export async function deadWorkers(world: World): Promise<string[]> {
  const { items } = await world.ledger.query('workers')
  return items.filter(({ item }) => Number(item.expires) <= world.clock.now()).map(({ sort }) => sort)
}
