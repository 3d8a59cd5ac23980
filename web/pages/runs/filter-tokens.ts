import { workWord } from '../../../shared/core/client/status-words.ts'
import { withEntry } from '../../format/with-entry.ts'
import { type FilterName, filterNames, statuses } from './run-filters.ts'

const statusOf = new Map<string, string>(
  statuses.flatMap((status) => [
    [status, status],
    [workWord(status), status],
  ]),
)

const part = /([a-z]+):(?:"([^"]*)"|(\S*))|\S+/g

/**
 * Moves filters such as `method:mcts` from a text into an address. The remaining words filter by name. An unknown name
 * and an unknown status stay words.
 */
export function withTokens(address: URLSearchParams, text: string): URLSearchParams {
  const rest: string[] = []
  let next = address
  for (const [whole, name = '', quoted, plain = ''] of text.matchAll(part)) {
    const filter = filterNames.find((each) => each === name && each !== 'name')
    const given = (quoted ?? plain).trim()
    const value = filter === 'status' ? (statusOf.get(given) ?? '') : given
    if (filter !== undefined && value !== '') next = withEntry(next, filter, value)
    else rest.push(whole)
  }
  return withEntry(next, 'name', rest.join(' '))
}

export function activeFilters(address: URLSearchParams): { name: FilterName; value: string }[] {
  return filterNames.flatMap((name) => {
    const value = address.get(name) ?? ''
    return name === 'name' || value === '' ? [] : [{ name, value }]
  })
}
