import { formatCount } from '../../shared/core/client/format-quantity.ts'
import type { TaskSelection } from '../../shared/core/contracts/run.ts'

export function describeTasks({ generate, ids, limit, range, split, types }: TaskSelection): string {
  const where =
    generate !== undefined
      ? `${formatCount(generate.count)} generated${generate.generator === undefined ? '' : ` (${generate.generator})`}, ${generate.split}`
      : ids === undefined
        ? (split ?? 'test')
        : `${formatCount(ids.length)} by id`
  return [
    range === undefined ? where : `${where} ${positions(range)}`,
    ids !== undefined && split !== undefined ? split : [],
    types === undefined ? [] : types.length > 2 ? `${types.length} types` : types,
    limit === undefined ? [] : `first ${formatCount(limit)}`,
  ]
    .flat()
    .join(', ')
}

function positions([from, to]: readonly [number, number]): string {
  return to === from + 1 ? `no. ${from}` : `${from}–${to - 1}`
}
