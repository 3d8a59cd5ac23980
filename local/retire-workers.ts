import type { World } from '../shared/world/ports.ts'

/**
 * Ends the heartbeats of workers that an earlier process left behind. Whoever holds the folder's lock knows that they are
 * dead, and need not wait for their heartbeats to run out before their episodes go on.
 */
export async function retireWorkers(world: Pick<World, 'ledger'>): Promise<void> {
  const { items } = await world.ledger.query('workers')
  for (const { sort } of items) {
    await world.ledger.update({
      key: { partition: 'workers', sort },
      set: { expires: 0 },
      if: [{ is: 'present' }],
    })
  }
}
