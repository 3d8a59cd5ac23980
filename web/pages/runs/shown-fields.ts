import type { Json } from '../../../shared/core/contracts/json.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { isObject } from '../../components/schema-fields/read-fields.ts'

const mostFields = 8

export function readShown(address: URLSearchParams): string[] {
  const names = (address.get('show') ?? '').split(',').map((name) => name.trim())
  return [...new Set(names.filter((name) => name !== ''))].slice(0, mostFields)
}

export function fieldsOf({ request }: Pick<Run, 'request'>, names: readonly string[]): [string, string][] {
  return names.flatMap((name) => {
    const value = name
      .split('.')
      .reduce<Json | undefined>(
        (found, part) => (isObject(found) ? found[part] : undefined),
        request as unknown as Json,
      )
    if (value === undefined || value === null) return []
    return [[name.split('.').at(-1) ?? name, typeof value === 'string' ? value : JSON.stringify(value)]]
  })
}
