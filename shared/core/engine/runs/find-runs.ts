import type { List, ListQuery } from '../../contracts/list.ts'
import type { Run, RunFilter } from '../../contracts/run.ts'
import type { World } from '../../world/ports.ts'
import { findPage } from '../labels/find-page.ts'
import { passesLabels, toLabels } from '../labels/labels.ts'

type Query = ListQuery & RunFilter

/**
 * A page of a tenant's runs, newest first, without archived ones unless requested. With filters, a page can have
 * `has_more` and few runs, or none: see `findPage`.
 * @param read - null for a run just deleted
 */
export function findRuns(
  { ledger }: Pick<World, 'ledger'>,
  tenant: string,
  { limit, after, ...filter }: Query,
  read: (run: string) => Promise<Run | null>,
): Promise<List<Run>> {
  return findPage(ledger, {
    kind: 'runs',
    tenant,
    limit,
    ...(after !== undefined && { after }),
    experiment: filter.experiment,
    isFiltered: Object.values(filter).some((wanted) => wanted !== undefined),
    read,
    passes: (run) => matches(run, filter),
  })
}

function matches({ archived_at, request, rollout, status }: Run, filter: RunFilter): boolean {
  const has = (wanted: string | undefined, own: string) => wanted === undefined || wanted === own
  return (
    (filter.rollouts === undefined || rollout !== undefined) &&
    has(filter.status, status) &&
    has(filter.environment, request.environment) &&
    has(filter.method, request.method.id) &&
    has(filter.model, request.model.id) &&
    (filter.name === undefined || (request.name ?? '').toLowerCase().includes(filter.name.toLowerCase())) &&
    Object.entries(filter.metadata ?? {}).every(([name, value]) => request.metadata[name] === value) &&
    passesLabels(toLabels({ ...request, archived_at }), filter)
  )
}
