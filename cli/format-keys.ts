import type { ApiKey } from '../shared/core/contracts/key.ts'
import { formatTable } from './format-table.ts'

const columns = ['key', 'name', 'scopes', 'made', 'expires'].map((header) => ({
  header,
  flexible: header === 'name',
}))

export function formatKeys(keys: ApiKey[], width: number, now: number): string[] {
  if (keys.length === 0) return ['No keys yet. Make one: espalier keys create --name laptop --scopes admin']
  const rows = keys.map(({ id, name, scopes, created_at, expires_at }) => [
    id,
    name,
    scopes.join(' '),
    created_at.slice(0, 10),
    formatExpiry(expires_at, now),
  ])
  return formatTable(columns, rows, width)
}

function formatExpiry(expiresAt: string | null, now: number): string {
  if (expiresAt === null) return 'never'
  return Date.parse(expiresAt) <= now ? 'expired' : expiresAt.slice(0, 10)
}
