import type { Experiment, LabelChange } from '../../contracts/labels.ts'
import { type List, type ListQuery, toList } from '../../contracts/list.ts'
import { pagesOf } from '../../world/pages-of.ts'
import type { Ledger, LedgerChange, LedgerKey, World } from '../../world/ports.ts'
import { applyLabels, type Labels, storedLabels } from './labels.ts'

export type LabelledKind = 'runs' | 'datasets' | 'imports'

export interface LabelledEntry {
  kind: LabelledKind
  id: string
  tenant: string
  key: LedgerKey
}

export function experimentKey(
  { kind, id, tenant }: Pick<LabelledEntry, 'kind' | 'id' | 'tenant'>,
  experiment: string,
): LedgerKey {
  return { partition: experimentsOf(tenant), sort: `${membersOf(kind, experiment)}${id}` }
}

export function experimentsOf(tenant: string): string {
  return `tenant/${tenant}/experiments`
}

export function membersOf(kind: LabelledKind, experiment: string): string {
  return `${encodeURIComponent(experiment)}/${kind}/`
}

/**
 * Changes an item's labels together with the lists of experiments, all or nothing. Concurrent changes apply one after
 * the other.
 * @param given - its labels if they were never changed
 * @returns null, without any change, if the item is deleted or being deleted
 */
export async function changeLabels(
  { clock, ledger }: Pick<World, 'clock' | 'ledger'>,
  entry: LabelledEntry,
  change: LabelChange,
  given: Labels,
): Promise<Labels | null> {
  for (;;) {
    const item = await ledger.get(entry.key)
    if (item === null || item.deleting === true) return null
    const before = storedLabels(item) ?? given
    const after = applyLabels(before, change, clock.now())
    const revision = typeof item.labels_revision === 'number' ? item.labels_revision : null
    const changes: LedgerChange[] = [
      {
        key: entry.key,
        set: { labels: { ...after }, labels_revision: (revision ?? 0) + 1 },
        if: [
          { is: 'present' },
          { is: 'absent', attribute: 'deleting' },
          revision === null
            ? { is: 'absent', attribute: 'labels_revision' }
            : { is: 'equal', attribute: 'labels_revision', value: revision },
        ],
      },
    ]
    if (before.experiment !== after.experiment) {
      if (before.experiment !== null) {
        changes.push({ key: experimentKey(entry, before.experiment), delete: true })
      }
      if (after.experiment !== null) {
        changes.push({ key: experimentKey(entry, after.experiment), set: { id: entry.id } })
      }
    }
    if ((await ledger.transact(changes)).ok) return after
  }
}

export async function listExperiments(
  ledger: Ledger,
  tenant: string,
  { limit, after }: ListQuery,
): Promise<List<Experiment>> {
  const partition = experimentsOf(tenant)
  const found: Experiment[] = []
  let last = after === undefined ? undefined : encodeURIComponent(after)
  for (;;) {
    // Every key of an experiment has a slash after its name, so the next character after the slash sorts after all of
    // them.
    const { items } = await ledger.query(partition, {
      limit: 1,
      ...(last !== undefined && { after: `${last}0` }),
    })
    const first = items[0]
    if (first === undefined) return toList(found, false)
    if (found.length === limit) return toList(found, true)
    last = first.sort.slice(0, first.sort.indexOf('/'))
    found.push(await countMembers(ledger, partition, decodeURIComponent(last)))
  }
}

async function countMembers(ledger: Ledger, partition: string, experiment: string): Promise<Experiment> {
  const counts = { runs: 0, datasets: 0, imports: 0 }
  for (const kind of ['runs', 'datasets', 'imports'] as const) {
    const prefix = membersOf(kind, experiment)
    for await (const page of pagesOf(ledger, partition, 1000, prefix)) counts[kind] += page.length
  }
  return { id: experiment, object: 'experiment', ...counts }
}
