import { expect, test } from 'vitest'
import { gatewayContextSchema } from '../../../functions/api/authentication/gateway-principal.ts'
import { authorizeWith } from '../../../functions/authorizer/authorize.ts'
import { openKeys } from '../../../shared/core/auth/open-keys.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

test('a valid key is answered with what the API reads', async () => {
  const keys = openKeys(await openTestWorld())
  const { id, key } = await keys.create('acme', { name: 'nightly', scopes: ['runs:write', 'runs:read'] })
  const answer = await authorizeWith(keys)({ identitySource: [`Bearer ${key}`] })
  const principal = gatewayContextSchema.parse('context' in answer && answer.context)
  expect(principal).toEqual({ tenant: 'acme', scopes: ['runs:write', 'runs:read'], key: id })
})

const unknown = `esp_${'0'.repeat(18)}_${'0'.repeat(52)}`

test.each([
  ['nothing', []],
  ['no key', ['Bearer']],
  ['another scheme', ['Basic YTpi']],
  ['an unknown key', [`Bearer ${unknown}`]],
  ['a key and no scheme', [unknown]],
])('%s is refused, and never reaches the API', async (_, identitySource) => {
  const authorize = authorizeWith(openKeys(await openTestWorld()))
  expect(await authorize({ identitySource })).toEqual({ isAuthorized: false })
})

test('a valid key among others is none: the gateway joins headers of one name by commas', async () => {
  const keys = openKeys(await openTestWorld())
  const { key } = await keys.create('acme', { name: 'nightly', scopes: ['admin'] })
  const authorize = authorizeWith(keys)
  for (const header of [
    `Bearer ${key},Bearer ${unknown}`,
    `Bearer ${unknown}, Bearer ${key}`,
    `Bearer ${key},`,
    `Bearer ${key}\nx`,
  ]) {
    expect(await authorize({ identitySource: [header] })).toEqual({ isAuthorized: false })
  }
})

test('a key that was revoked, or has expired, is none', async () => {
  const world = await openTestWorld()
  const keys = openKeys({ ledger: world.ledger, clock: { now: () => Date.now() - 3_600_000 } })
  const revoked = await keys.create('acme', { name: 'revoked', scopes: ['admin'] })
  await keys.revoke('acme', revoked.id)
  const expired = await keys.create('acme', { name: 'expired', scopes: ['admin'], expires_in: 60 })
  const authorize = authorizeWith(openKeys(world))
  for (const { key } of [revoked, expired]) {
    expect(await authorize({ identitySource: [`Bearer ${key}`] })).toEqual({ isAuthorized: false })
  }
})

test('a ledger that fails is no refusal', async () => {
  const authorize = authorizeWith({ verify: () => Promise.reject(new Error('throttled')) })
  await expect(authorize({ identitySource: ['Bearer x'] })).rejects.toThrow('throttled')
})
