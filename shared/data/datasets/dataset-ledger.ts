import type { Dataset } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import { idempotencyEnd } from '../../core/contracts/idempotency.ts'
import { type JsonObject, jsonObjectSchema } from '../../core/contracts/json.ts'
import type { List, ListQuery } from '../../core/contracts/list.ts'
import {
  findLabelledEntries,
  type LabelledEntryFilter,
} from '../../core/engine/labels/find-labelled-entries.ts'
import type { LabelledEntry } from '../../core/engine/labels/label-ledger.ts'
import { withStoredLabels } from '../../core/engine/labels/labels.ts'
import { unknownId } from '../../core/engine/unknown-id.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../../core/world/ports.ts'
import { readStoredDataset } from './stored-dataset.ts'

export const datasetItemKey = (id: string): LedgerKey => ({ partition: `dataset/${id}`, sort: 'dataset' })

/**
 * A tenant's datasets in the ledger: a row each, which names its tenant, the tenant's list, newest last by its ids,
 * and idempotency keys.
 */
export function tenantDatasetLedger(ledger: Ledger, tenant: string) {
  const listed = `tenant/${tenant}/datasets`
  const keys = `tenant/${tenant}/idempotency/datasets`

  async function read(id: string): Promise<Dataset> {
    const item = await ledger.get(datasetItemKey(id))
    if (item === null || item.tenant !== tenant || item.deleting === true)
      throw await unknownId('dataset', id, { ledger, listed })
    return toDataset(item)
  }

  return {
    read,

    async findByKey(key: string): Promise<{ dataset: string; digest: string } | null> {
      const item = await ledger.get({ partition: keys, sort: key })
      return item === null ? null : { dataset: String(item.dataset), digest: String(item.digest) }
    },

    /** @returns false when the idempotency key was taken in the meantime */
    async add(dataset: Dataset, key: { value: string; digest: string } | null): Promise<boolean> {
      const { files: _, progress, ...row } = dataset
      const set = jsonObjectSchema.parse(JSON.parse(JSON.stringify({ ...row, ...progress })))
      const changes: LedgerChange[] = [
        { key: datasetItemKey(dataset.id), set: { ...set, tenant }, if: [{ is: 'absent' }] },
        { key: { partition: listed, sort: dataset.id }, set: { created_at: dataset.created_at } },
      ]
      if (key !== null) {
        changes.push({
          key: { partition: keys, sort: key.value },
          set: { dataset: dataset.id, digest: key.digest },
          expires_at: idempotencyEnd(Date.parse(dataset.created_at)),
          if: [{ is: 'absent' }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    list(query: ListQuery & LabelledEntryFilter): Promise<List<Dataset>> {
      return findLabelledEntries(ledger, { kind: 'datasets', tenant, query, read })
    },

    thing: (id: string): LabelledEntry => ({ kind: 'datasets', id, tenant, key: datasetItemKey(id) }),

    listed: (id: string): LedgerKey => ({ partition: listed, sort: id }),

    async forgetKey(key: string, dataset: string): Promise<void> {
      const only = [{ is: 'equal' as const, attribute: 'dataset', value: dataset }]
      await ledger.update({ key: { partition: keys, sort: key }, delete: true, if: only })
    },
  }
}

/**
 * Reads a dataset from its item. The item holds progress in flat attributes, so that it can be incremented, and a
 * passing note beside the warnings.
 */
export function toDataset(item: LedgerItem): Dataset {
  const { phase, parts = 0, parts_done = 0, note, ...row } = item as JsonObject
  const progress = phase === undefined ? {} : { progress: { phase, parts, parts_done } }
  const dataset = readStoredDataset({ ...row, ...progress, files: [] })
  const labelled = withStoredLabels(dataset, item)
  return typeof note === 'string' ? { ...labelled, warnings: [...labelled.warnings, note] } : labelled
}

export function unknownDataset(id: string): EspalierError {
  return new EspalierError('not_found', `There is no dataset "${id}".`, { param: 'dataset' })
}
