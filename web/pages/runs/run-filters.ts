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
