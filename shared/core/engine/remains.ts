import type { Ledger, LedgerChange, LedgerItem, LedgerKey, World } from '../world/ports.ts'

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
 * Removes the remaining data of a hidden item. Safe to call at any time, concurrently.
 * @param most - maximum number of items and objects to remove
 * @returns true if nothing is left
 */
export async function removeRemains(
  { ledger, objects }: Pick<World, 'ledger' | 'objects'>,
  id: string,
  most = mostAtOnce,
): Promise<boolean> {
  const item = await ledger.get(remainsKey(id))
  if (item === null) return true
  const { items, partitions, prefix } = toRemains(item)
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
  world: Pick<World, 'ledger' | 'name' | 'objects'>,
  id: string,
): Promise<void> {
  if (world.name !== 'aws') await removeRemains(world, id)
}

async function remove(ledger: Ledger, keys: LedgerKey[]): Promise<void> {
  if (keys.length > 0) await ledger.transact(keys.map((key) => ({ key, delete: true })))
}

function toRemains(item: LedgerItem): Omit<Remains, 'id'> {
  return item as unknown as Omit<Remains, 'id'>
}
