import type { Ledger, LedgerChange, LedgerItem, LedgerKey, World } from '../world/ports.ts'

/** Items and objects that are removed while a request waits; the sweeper removes the others. */
const mostAtOnce = 1000

/** As many as a transaction of the ledger holds. */
const mostChanges = 100

/** Where deleted things are listed as long as something of them is left, for the sweeper. */
export const remainsPartition = 'deleted'

/** What is stored of a thing that is deleted: a run, a dataset or an import. */
export interface Remains {
  /** The thing's id. */
  id: string
  /** Partitions of the ledger that hold nothing else. */
  partitions: string[]
  /** What the keys of its objects begin with. */
  prefix: string
  /** Its own items, removed last, so that who dies on the way is followed by the sweeper. */
  items: LedgerKey[]
}

/** Lists what is to be removed, in the transaction that hides the thing. */
export function listRemains({ id, items, partitions, prefix }: Remains): LedgerChange {
  const set = { partitions, prefix, items: items.map((key) => ({ ...key })) }
  return { key: remainsKey(id), set }
}

const remainsKey = (id: string): LedgerKey => ({ partition: remainsPartition, sort: id })

/**
 * Removes what is left of a thing that was hidden. Safe to call at any time, by several at once.
 *
 * @param most - items and objects to remove at most
 * @returns whether nothing is left
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
 * Removes what one request can of a thing that was hidden. In a deployment nothing: there the sweeper alone has the right to delete
 * objects, and comes every minute.
 */
export async function removeAtOnce(
  world: Pick<World, 'ledger' | 'name' | 'objects'>,
  id: string,
): Promise<void> {
  if (world.name === 'local') await removeRemains(world, id)
}

async function remove(ledger: Ledger, keys: LedgerKey[]): Promise<void> {
  if (keys.length > 0) await ledger.transact(keys.map((key) => ({ key, delete: true })))
}

function toRemains(item: LedgerItem): Omit<Remains, 'id'> {
  return item as unknown as Omit<Remains, 'id'>
}
