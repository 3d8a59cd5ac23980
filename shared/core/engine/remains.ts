import type { Ledger, LedgerChange, LedgerItem, LedgerKey, World } from '../world/ports.ts'
import { ledgerKeys } from './keys.ts'
import { listWorkers } from './workers.ts'

const mostAtOnce = 1000

const mostChanges = 100

export const remainsPartition = 'deleted'

export interface Remains {
  id: string
  partitions: string[]
  prefix: string
  items: LedgerKey[]
}

export function listRemains({ id, items, partitions, prefix }: Remains): LedgerChange {
  const set = { partitions, prefix, items: items.map((key) => ({ ...key })) }
  return { key: remainsKey(id), set }
}

const remainsKey = (id: string): LedgerKey => ({ partition: remainsPartition, sort: id })

/**
 * Removes the remaining data of a hidden item, unless it is a run that a worker still plays or whose money it holds: a
 * later sweep removes that. Safe to call at any time, concurrently.
 * @param most - maximum number of items and objects to remove
 * @returns true if nothing is left
 */
export async function removeRemains(
  world: Pick<World, 'clock' | 'ledger' | 'objects'>,
  id: string,
  most = mostAtOnce,
): Promise<boolean> {
  const { ledger, objects } = world
  const item = await ledger.get(remainsKey(id))
  if (item === null) return true
  const { items, partitions, prefix } = toRemains(item)
  if (prefix.startsWith('runs/') && (await isHeld(world, id))) return false
  let left = most
  for (const partition of partitions) {
    for (let more = true; more; ) {
      if (left <= 0) return false
      const page = await ledger.query(partition, { limit: Math.min(mostChanges, left) })
      await remove(
        ledger,
        page.items.map(({ sort }) => ({ partition, sort })),
      )
      left -= page.items.length
      more = page.more
    }
  }
  for (let more = true; more; ) {
    if (left <= 0) return false
    const page = await objects.list(prefix, { limit: Math.min(mostChanges, left) })
    await Promise.all(page.objects.map(({ key }) => objects.delete(key)))
    left -= page.objects.length
    more = page.more
  }
  await remove(ledger, [...items, remainsKey(id)])
  return true
}

/**
 * Removes as much of a hidden item's data as one request can. In a deployment it removes nothing: only the sweeper
 * may delete objects there, and it runs every minute.
 */
export async function removeAtOnce(
  world: Pick<World, 'clock' | 'ledger' | 'name' | 'objects'>,
  id: string,
): Promise<void> {
  if (world.name !== 'aws') await removeRemains(world, id)
}

async function isHeld(world: Pick<World, 'clock' | 'ledger'>, run: string): Promise<boolean> {
  const { alive, dead } = await listWorkers(world)
  for (const worker of [...alive, ...dead])
    if ((await world.ledger.get(ledgerKeys.holding(worker, run))) !== null) return true
  return false
}

async function remove(ledger: Ledger, keys: LedgerKey[]): Promise<void> {
  if (keys.length > 0) await ledger.transact(keys.map((key) => ({ key, delete: true })))
}

function toRemains(item: LedgerItem): Omit<Remains, 'id'> {
  return item as unknown as Omit<Remains, 'id'>
}
