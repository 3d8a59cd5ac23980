import { workWord } from '../../../shared/core/client/status-words.ts'
import type { Query } from '../../../shared/core/client/transport.ts'
import type { RunFilter } from '../../../shared/core/contracts/run.ts'
import { withEntry } from '../../format/with-entry.ts'

export const statuses = ['queued', 'running', 'paused', 'succeeded', 'failed', 'cancelled'] as const
export const filterNames = [
  'status',
  'environment',
  'method',
  'model',
  'name',
  'experiment',
  'tag',
  'metadata',
  'archived',
] as const

export type FilterName = (typeof filterNames)[number]

const statusOf = new Map<string, string>(
  statuses.flatMap((status) => [
    [status, status],
    [workWord(status), status],
  ]),
)

const textPart = /([a-z]+):(?:"([^"]*)"|(\S*))|\S+/g

/**
 * The filters in an address. An invalid status is dropped, so a hand-written address shows all runs instead of an
 * error.
 */
export function readFilters(address: URLSearchParams): RunFilter {
  const filters = Object.fromEntries(
    filterNames.flatMap((name) => {
      const value = address.get(name)?.slice(0, 200)
      return value ? [[name, value]] : []
    }),
  )
  const { archived, experiment = '', metadata = '', status, tag = '', ...rest } = filters
  const known = statuses.find((each) => each === status)
  const which = (['true', 'any'] as const).find((each) => each === archived)
  const [, field, value] = /^([^=]+)=(.*)$/s.exec(metadata) ?? []
  return {
    ...rest,
    ...(known !== undefined && { status: known }),
    ...(experiment.trim() !== '' && { experiment: experiment.trim() }),
    ...(tag.trim() !== '' && { tag: [tag.trim()] }),
    ...(which !== undefined && { archived: which }),
    ...(field !== undefined && { metadata: { [field]: value ?? '' } }),
  }
}

export function toRunQuery({ metadata = {}, ...filters }: RunFilter): Query {
  const named = Object.entries(metadata).map(([name, value]) => [`metadata.${name}`, value])
  return { ...filters, ...Object.fromEntries(named) }
}

export function withoutFilters(address: URLSearchParams): URLSearchParams {
  return filterNames.reduce((next, name) => withEntry(next, name, ''), address)
}

export function readChosen(address: URLSearchParams): string[] {
  return [...new Set(address.get('chosen')?.split(',').filter(Boolean))]
}

export function withChosen(address: URLSearchParams, run: string, isChosen: boolean): URLSearchParams {
  const others = readChosen(address).filter((id) => id !== run)
  const chosen = isChosen ? [...others, run] : others
  return withEntry(address, 'chosen', chosen.join(','))
}

/**
 * Moves filters such as `method:mcts` from a text into an address. The remaining words filter by name. An unknown name
 * and an invalid value stay words.
 */
export function withTokens(address: URLSearchParams, text: string): URLSearchParams {
  const rest: string[] = []
  let next = address
  for (const [whole, name = '', quoted, plain = ''] of text.matchAll(textPart)) {
    const filter = filterNames.find((each) => each === name && each !== 'name')
    const given = (quoted ?? plain).trim()
    const value = filter === 'status' ? (statusOf.get(given) ?? given) : given
    const tried = filter === undefined ? next : withEntry(next, filter, value)
    if (filter !== undefined && filter in readFilters(tried)) next = tried
    else rest.push(whole)
  }
  return withEntry(next, 'name', rest.join(' '))
}

export function activeFilters(address: URLSearchParams): { name: FilterName; value: string }[] {
  const filters = readFilters(address)
  return filterNames.flatMap((name) =>
    name === 'name' || !(name in filters) ? [] : [{ name, value: address.get(name) ?? '' }],
  )
}
