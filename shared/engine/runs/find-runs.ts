import { type List, type ListQuery, toList } from '../../contracts/list.ts'
import type { Run, RunFilter } from '../../contracts/run.ts'
import type { World } from '../../world/ports.ts'
import { ledgerKeys } from '../keys.ts'

/** How many runs a list with filters looks at before it answers, and how many at a time. */
const mostLooked = 1000
const atOnce = 50

type Query = ListQuery & RunFilter

/**
 * A page of a tenant's runs, newest first. With filters, older runs are looked at until `limit` are found, but no more than a
 * thousand: then `has_more` holds however few were found, and `last_id` is the last run that was looked at, so that the next
 * page goes on from there.
 */
export async function findRuns(
  { ledger }: Pick<World, 'ledger'>,
  tenant: string,
  { limit, after, ...filter }: Query,
  read: (run: string) => Promise<Run>,
): Promise<List<Run>> {
  const { partition } = ledgerKeys.tenantRun(tenant, '')
  const isFiltered = Object.values(filter).some((wanted) => wanted !== undefined)
  const most = isFiltered ? mostLooked : limit
  const found: Run[] = []
  let last = after
  for (let looked = 0; looked < most; ) {
    const next = Math.min(isFiltered ? atOnce : limit, most - looked)
    const page = await ledger.query(partition, {
      limit: next,
      reverse: true,
      ...(last !== undefined && { after: last }),
    })
    const runs = await Promise.all(page.items.map(({ sort }) => read(sort)))
    for (const [at, run] of runs.entries()) {
      last = run.id
      if (!matches(run, filter)) continue
      found.push(run)
      if (found.length === limit) return toList(found, page.more || at < runs.length - 1)
    }
    if (!page.more) return toList(found, false)
    looked += runs.length
  }
  return { ...toList(found, true), last_id: last ?? null }
}

function matches({ request, status }: Run, filter: RunFilter): boolean {
  const has = (wanted: string | undefined, own: string) => wanted === undefined || wanted === own
  return (
    has(filter.status, status) &&
    has(filter.environment, request.environment) &&
    has(filter.method, request.method.id) &&
    has(filter.model, request.model.id) &&
    (filter.name === undefined || (request.name ?? '').toLowerCase().includes(filter.name.toLowerCase()))
  )
}
