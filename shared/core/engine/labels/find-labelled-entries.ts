import { EspalierError } from '../../contracts/errors.ts'
import type { EntryLabels, LabelFilter } from '../../contracts/labels.ts'
import type { List, ListQuery } from '../../contracts/list.ts'
import type { Ledger } from '../../world/ports.ts'
import { findPage } from './find-page.ts'
import type { LabelledKind } from './label-ledger.ts'
import { passesLabels, toLabels } from './labels.ts'

export interface LabelledEntryFilter extends LabelFilter {
  name?: string | undefined
}

/**
 * A page of a tenant's datasets or imports, newest first, without archived ones unless requested.
 * @param options.read - throws `not_found` for an item just deleted
 */
export function findLabelledEntries<Entry extends EntryLabels & { id: string; name: string | null }>(
  ledger: Ledger,
  options: {
    kind: LabelledKind
    tenant: string
    query: ListQuery & LabelledEntryFilter
    read: (id: string) => Promise<Entry>
  },
): Promise<List<Entry>> {
  const { kind, query, read, tenant } = options
  const { after, limit, ...filter } = query
  const name = filter.name?.toLowerCase()
  return findPage(ledger, {
    kind,
    tenant,
    limit,
    after,
    experiment: filter.experiment,
    isFiltered: Object.values(filter).some((wanted) => wanted !== undefined),
    async read(id) {
      try {
        return await read(id)
      } catch (error) {
        if (EspalierError.isInstance(error) && error.code === 'not_found') return null
        throw error
      }
    },
    passes: (entry) =>
      passesLabels(toLabels(entry), filter) &&
      (name === undefined || (entry.name ?? '').toLowerCase().includes(name)),
  })
}
