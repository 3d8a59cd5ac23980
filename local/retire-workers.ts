import { ledgerKeys } from '../shared/engine/keys.ts'
import { pagesOf } from '../shared/world/pages-of.ts'
import type { World } from '../shared/world/ports.ts'

type Workers = Pick<World, 'ledger'>

/**
 * Ends the heartbeats of workers that an earlier process left behind. The holder of the folder's lock knows that they are
 * dead, and need not wait for their heartbeats to run out before their episodes go on.
 */
export async function retireWorkers(world: Workers): Promise<void> {
  for await (const page of pagesOf(world.ledger, 'workers')) {
    for (const { sort } of page) await retireWorker(world, sort)
  }
}

/** Ends the heartbeat of a worker that is known to be dead; the next sweep settles what it held. */
export async function retireWorker({ ledger }: Workers, worker: string): Promise<void> {
  await ledger.update({ key: ledgerKeys.worker(worker), set: { expires: 0 } })
}
