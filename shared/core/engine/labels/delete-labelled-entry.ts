import { EspalierError } from '../../contracts/errors.ts'
import type { LedgerChange, LedgerCondition, LedgerKey, World } from '../../world/ports.ts'
import { listRemains, type Remains, removeAtOnce } from '../remains.ts'
import { experimentKey, type LabelledEntry } from './label-ledger.ts'
import type { Labels } from './labels.ts'

/**
 * Deletes a dataset or an import: removes it from every list in one step, then as many of its stored objects as one
 * request can.
 * @param options.only - conditions on its item; if they do not hold, nothing is deleted
 * @param options.listed - its keys in lists
 * @throws EspalierError `conflict` if its item has changed meanwhile
 */
export async function deleteLabelledEntry(
  world: Pick<World, 'clock' | 'ledger' | 'name' | 'objects'>,
  entry: LabelledEntry,
  options: { labels: Labels; listed: LedgerKey[]; only: LedgerCondition[]; remains: Omit<Remains, 'id'> },
): Promise<void> {
  const { labels, listed, only, remains } = options
  const { experiment } = labels
  const gone = [...listed, ...(experiment === null ? [] : [experimentKey(entry, experiment)])]
  const { ok } = await world.ledger.transact([
    { key: entry.key, set: { deleting: true }, if: [{ is: 'present' }, ...only] },
    ...gone.map((key): LedgerChange => ({ key, delete: true })),
    listRemains({ ...remains, id: entry.id }),
  ])
  if (!ok) {
    throw new EspalierError('conflict', `${entry.id} has just changed. Look at it, and try again.`)
  }
  await removeAtOnce(world, entry.id)
}
