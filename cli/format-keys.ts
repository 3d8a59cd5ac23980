import type { ApiKey } from '../shared/contracts/key.ts'
import { formatTable } from './format-table.ts'

const columns = ['key', 'name', 'scopes', 'made', 'expires'].map((header) => ({
  header,
  flexible: header === 'name',
}))

/** A table of keys: never what they open with, which nobody has stored. */
export function formatKeys(keys: ApiKey[], width: number): string[] {
  if (keys.length === 0) return ['No keys yet. Make one: espalier keys create --name laptop --scopes admin']
  const rows = keys.map(({ id, name, scopes, created_at, expires_at }) => [
    id,
    name,
    scopes.join(' '),
    created_at.slice(0, 10),
    expires_at?.slice(0, 10) ?? 'never',
  ])
  return formatTable(columns, rows, width)
}
