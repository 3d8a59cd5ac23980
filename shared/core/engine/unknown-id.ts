import { EspalierError } from '../contracts/errors.ts'
import { didYouMean } from '../contracts/validation/nearest-name.ts'
import type { Ledger } from '../world/ports.ts'

const lists = {
  run: 'runs',
  dataset: 'datasets',
  training: 'trainings',
  model: 'registered models',
  loop: 'loops',
  import: 'imports',
  memory: 'memories',
  library: 'libraries',
  key: 'keys',
} as const

export type ListedKind = keyof typeof lists

const newest = 200
// Letters that may differ: ids of one minute begin alike.
const mostSlips = 3

export function lookInto(kind: ListedKind): string {
  return `List the ${lists[kind]} to find its id.`
}

/**
 * An error for an id that a tenant's list lacks. It names the closest of the newest ids.
 * @param where.listed the partition of the list, whose sort keys are ids
 * @param where.what replaces `There is no KIND`
 * @param where.param the field that names the id. @default the kind
 */
export async function unknownId(
  kind: ListedKind,
  id: string,
  where: { ledger: Ledger; listed: string; what?: string; param?: string },
): Promise<EspalierError> {
  const { items } = await where.ledger.query(where.listed, { reverse: true, limit: newest })
  const ids = items.map(({ sort }) => sort)
  const what = where.what ?? `There is no ${kind === 'model' ? 'registered model' : kind}`
  const message = `${what} "${id}".${didYouMean(id, ids, mostSlips)} ${lookInto(kind)}`
  return new EspalierError('not_found', message, { param: where.param ?? kind })
}
