import { expect, test } from 'vitest'
import { formatKeys } from '../../cli/commands/keys.ts'
import type { ApiKey } from '../../shared/core/contracts/key.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')

function makeKey(name: string, expires_at: string | null): ApiKey {
  return {
    id: 'key-06c5k8q2xg-4hj7k2mn',
    object: 'api_key',
    tenant: 'default',
    name,
    scopes: ['runs:read'],
    created_at: '2026-11-20T12:00:00.000Z',
    expires_at,
  }
}

test('a key that has expired differs from one that has not, on the same day too', () => {
  const keys = [
    makeKey('past', '2026-11-21T12:00:00.000Z'),
    makeKey('soon', '2026-11-21T12:00:01.000Z'),
    makeKey('ever', null),
  ]
  const ends = formatKeys(keys, 100, now).map((line) => line.trim().split(/ +/).at(-1))
  expect(ends).toEqual(['expires', 'expired', '2026-11-21', 'never'])
})
