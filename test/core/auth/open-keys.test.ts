import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { keyIdOf, newKeyText } from '../../../shared/core/auth/key-text.ts'
import { type Keys, openKeys } from '../../../shared/core/auth/open-keys.ts'
import { hasScope } from '../../../shared/core/auth/principal.ts'
import { type Scope, scopeSchema } from '../../../shared/core/contracts/key.ts'
import { newIdentifier } from '../../../shared/core/engine/identifiers.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

let world: World
let keys: Keys
let now: number

beforeEach(async () => {
  world = await openTestWorld()
  now = world.clock.now()
  keys = openKeys({ ledger: world.ledger, clock: { now: () => now } })
})

test('a key says whose it is and what it may do', async () => {
  const { key, ...shown } = await keys.create('acme', { name: 'nightly', scopes: ['runs:read', 'runs:read'] })
  expect(key).toMatch(/^esp_[0-9a-z]{18}_[0-9a-z]{52}$/)
  expect(shown).toMatchObject({ object: 'api_key', tenant: 'acme', name: 'nightly', scopes: ['runs:read'] })
  expect(await keys.verify(key)).toEqual({ tenant: 'acme', scopes: ['runs:read'], key: shown.id })
})

test('its secret is stored nowhere', async () => {
  const { id, key } = await keys.create('acme', { name: 'nightly', scopes: ['admin'] })
  const secret = key.split('_')[2] ?? ''
  const stored = [await world.ledger.query('keys'), await world.ledger.query('tenant/acme/keys')]
  expect(JSON.stringify(stored)).toContain(id)
  expect(JSON.stringify(stored)).not.toContain(secret)
  expect(JSON.stringify(await keys.list('acme', { limit: 10 }))).not.toMatch(/digest|esp_/)
})

test('a key that is changed anywhere opens nothing', async () => {
  const { key } = await keys.create('acme', { name: 'nightly', scopes: ['admin'] })
  for (let place = 0; place < key.length; place += 1) {
    const other = key[place] === 'x' ? 'y' : 'x'
    expect(await keys.verify(key.slice(0, place) + other + key.slice(place + 1))).toBeNull()
  }
  for (const text of ['', 'esp_', key.slice(0, -1), `${key}0`, ` ${key}`, key.toUpperCase()]) {
    expect(await keys.verify(text)).toBeNull()
  }
})

test('a key ends when it expires, to the second', async () => {
  const { key, expires_at } = await keys.create('acme', { name: 'short', scopes: ['admin'], expires_in: 60 })
  expect(expires_at).toBe(new Date(now + 60_000).toISOString())
  now += 59_999
  expect(await keys.verify(key)).not.toBeNull()
  now += 1
  expect(await keys.verify(key)).toBeNull()
  expect((await keys.list('acme', { limit: 10 })).data).toHaveLength(1)
})

test('a revoked key opens nothing and is in no list', async () => {
  const kept = await keys.create('acme', { name: 'kept', scopes: ['admin'] })
  const { id, key } = await keys.create('acme', { name: 'gone', scopes: ['admin'] })
  await keys.revoke('acme', id)
  expect(await keys.verify(key)).toBeNull()
  expect((await keys.list('acme', { limit: 10 })).data.map((each) => each.id)).toEqual([kept.id])
  await expect(keys.revoke('acme', id)).rejects.toMatchObject({ code: 'not_found', param: 'key' })
})

test("another tenant's key is neither listed nor revoked, in the words for one that never was", async () => {
  const { id, key } = await keys.create('acme', { name: 'theirs', scopes: ['admin'] })
  expect((await keys.list('rival', { limit: 10 })).data).toEqual([])
  const refusal = await keys.revoke('rival', id).catch((error: unknown) => error)
  const unknown = await keys.revoke('rival', 'key-none').catch((error: unknown) => error)
  expect(String(refusal).replace(id, 'key-none')).toBe(String(unknown))
  expect(await keys.verify(key)).toMatchObject({ tenant: 'acme' })
})

test('lists are paged, newest first', async () => {
  const made: string[] = []
  for (const name of ['a', 'b', 'c']) {
    now += 1
    made.unshift((await keys.create('acme', { name, scopes: ['admin'] })).id)
  }
  const first = await keys.list('acme', { limit: 2 })
  expect(first).toMatchObject({ object: 'list', has_more: true, first_id: made[0], last_id: made[1] })
  const second = await keys.list('acme', { limit: 2, after: made[1] })
  expect(second.data.map(({ id }) => id)).toEqual(made.slice(2))
})

test.each(['', 'A', '-a', 'a/b', 'a'.repeat(64), 'a b', 'ä'])(
  '%j is the name of no tenant',
  async (tenant) => {
    const made = keys.create(tenant, { name: 'x', scopes: ['admin'] })
    await expect(made).rejects.toMatchObject({ code: 'invalid_request', param: 'tenant' })
    expect((await world.ledger.query('keys')).items).toEqual([])
  },
)

test('admin includes every scope, and no other scope includes another', () => {
  for (const scope of scopeSchema.options) {
    expect(hasScope({ scopes: ['admin'] }, scope)).toBe(true)
    const held = scopeSchema.options.filter(
      (one: Scope) => one !== 'admin' && hasScope({ scopes: [one] }, scope),
    )
    expect(held).toEqual(scope === 'admin' ? [] : [scope])
  }
})

test('the id can be read from every key', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 49 }), (time) => {
      const id = newIdentifier('key', time)
      expect(keyIdOf(newKeyText(id))).toBe(id)
    }),
  )
})
