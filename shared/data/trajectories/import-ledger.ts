import { z } from 'zod'
import { EspalierError } from '../../core/contracts/errors.ts'
import { idempotencyEnd } from '../../core/contracts/idempotency.ts'
import type { List, ListQuery } from '../../core/contracts/list.ts'
import { type TrajectoryImport, trajectoryImportSchema } from '../../core/contracts/trajectory-import.ts'
import {
  findLabelledEntries,
  type LabelledEntryFilter,
} from '../../core/engine/labels/find-labelled-entries.ts'
import type { LabelledEntry } from '../../core/engine/labels/label-ledger.ts'
import { withStoredLabels } from '../../core/engine/labels/labels.ts'
import type { Remains } from '../../core/engine/remains.ts'
import { unknownId } from '../../core/engine/unknown-id.ts'
import { pagesOf } from '../../core/world/pages-of.ts'
import type { Ledger, LedgerChange, LedgerItem, LedgerKey } from '../../core/world/ports.ts'

export const importPartSchema = z.object({
  number: z.int(),
  first: z.int(),
  rows: z.int(),
  /** Of the body: it identifies a body sent again. */
  digest: z.string(),
  trajectories: z.int(),
  rejected: z.int(),
  kept: z.int(),
})

export type ImportPart = z.infer<typeof importPartSchema>

const importKey = (id: string): LedgerKey => ({ partition: `import/${id}`, sort: 'import' })
const partsOf = (id: string) => `import/${id}/parts`
const partKey = (id: string, number: number): LedgerKey => ({
  partition: partsOf(id),
  sort: String(number).padStart(7, '0'),
})

export function importLedger(ledger: Ledger, tenant: string) {
  const listed = `tenant/${tenant}/imports`
  const keys = `tenant/${tenant}/idempotency/imports`

  async function read(id: string): Promise<TrajectoryImport> {
    const item = await ledger.get(importKey(id))
    if (item === null || item.tenant !== tenant || item.deleting === true) {
      throw await unknownId('import', id, { ledger, listed, what: 'There are no imported trajectories' })
    }
    return withStoredLabels(trajectoryImportSchema.parse(item), item)
  }

  async function* parts(id: string): AsyncGenerator<ImportPart> {
    for await (const page of pagesOf(ledger, partsOf(id))) {
      for (const { item } of page) yield importPartSchema.parse(item)
    }
  }

  return {
    read,
    parts,

    async part(id: string, number: number): Promise<ImportPart> {
      const item = await ledger.get(partKey(id, number))
      if (item !== null) return importPartSchema.parse(item)
      throw new EspalierError('not_found', `The imported trajectories ${id} have no part ${number}.`)
    },

    list(query: ListQuery & LabelledEntryFilter): Promise<List<TrajectoryImport>> {
      return findLabelledEntries(ledger, { kind: 'imports', tenant, query, read })
    },

    thing: (id: string): LabelledEntry => ({ kind: 'imports', id, tenant, key: importKey(id) }),

    listed: (id: string): LedgerKey => ({ partition: listed, sort: id }),

    remains: (id: string): Omit<Remains, 'id'> => ({
      partitions: [partsOf(id)],
      prefix: `trajectories/${id}/`,
      items: [importKey(id)],
    }),

    async forgetKey(key: string, made: string): Promise<void> {
      const only = [{ is: 'equal' as const, attribute: 'import', value: made }]
      await ledger.update({ key: { partition: keys, sort: key }, delete: true, if: only })
    },

    async findByKey(key: string): Promise<{ import: string; digest: string } | null> {
      const item = await ledger.get({ partition: keys, sort: key })
      return item === null ? null : { import: String(item.import), digest: String(item.digest) }
    },

    async add(
      made: TrajectoryImport,
      part: ImportPart | null,
      key: { value: string; digest: string } | null,
    ): Promise<boolean> {
      const changes: LedgerChange[] = [
        { key: importKey(made.id), set: { ...toItem(made), tenant }, if: [{ is: 'absent' }] },
        { key: { partition: listed, sort: made.id }, set: { created_at: made.created_at } },
      ]
      if (part !== null) changes.push({ key: partKey(made.id, part.number), set: { ...part } })
      if (key !== null) {
        changes.push({
          key: { partition: keys, sort: key.value },
          set: { import: made.id, digest: key.digest },
          expires_at: idempotencyEnd(Date.parse(made.created_at)),
          if: [{ is: 'absent' }],
        })
      }
      return (await ledger.transact(changes)).ok
    },

    /**
     * Adds rows, all or none.
     *
     * @param before - the import as read; if it has changed since, nothing is written
     * @returns false then
     */
    async advance(
      before: TrajectoryImport,
      after: TrajectoryImport,
      part: ImportPart | null,
    ): Promise<boolean> {
      const { status, trajectories, rejected, next, parts } = after
      const changes: LedgerChange[] = [
        {
          key: importKey(before.id),
          set: { status, trajectories, rejected, next, parts },
          if: [
            { attribute: 'next', is: 'equal', value: before.next },
            { attribute: 'status', is: 'equal', value: 'receiving' },
            { attribute: 'deleting', is: 'absent' },
          ],
        },
      ]
      if (part !== null) {
        changes.push({ key: partKey(before.id, part.number), set: { ...part }, if: [{ is: 'absent' }] })
      }
      return (await ledger.transact(changes)).ok
    },

    async partFrom(id: string, first: number): Promise<ImportPart | null> {
      for await (const part of parts(id)) if (part.first === first) return part
      return null
    },
  }
}

function toItem(made: TrajectoryImport): LedgerItem {
  return JSON.parse(JSON.stringify(made)) as LedgerItem
}
