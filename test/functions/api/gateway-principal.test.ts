import { expect, test } from 'vitest'
import { gatewayPrincipal } from '../../../functions/api/authentication/gateway-principal.ts'
import { openTestApi } from './open-test-api.ts'

function eventOf(authorizer: unknown) {
  return { event: { requestContext: { authorizer } } }
}

test('the principal is who the authorizer says it is, whatever the request says', async () => {
  const { app, services } = openTestApi({ authenticate: gatewayPrincipal })
  const context = { tenant: 'acme', scopes: 'runs:read datasets:read', key: 'key-1' }
  const headers = { Authorization: 'Bearer esp_x', 'Espalier-Tenant': 'rival' }
  const answer = await app.request('/v1/runs', { headers }, eventOf({ lambda: context }))
  expect(answer.status).toBe(200)
  expect(services.tenants).toEqual(['acme'])
  const beyond = await app.request('/v1/keys', { headers }, eventOf({ lambda: context }))
  expect(beyond.status).toBe(403)
})

test.each([
  ['no authorizer', undefined],
  ['nothing', null],
  ['what the authorizer says of a wrong key', { lambda: {} }],
  ['a context that the gateway left out', { lambda: null }],
  ['an authorizer of another kind', { jwt: { claims: { tenant: 'acme' } } }],
  ['a tenant that is none', { lambda: { tenant: '../acme', scopes: 'admin', key: 'key-1' } }],
  ['a scope that is none', { lambda: { tenant: 'acme', scopes: 'everything', key: 'key-1' } }],
  [
    'no key, as only the holder of a data folder has none',
    { lambda: { tenant: 'acme', scopes: 'admin', key: null } },
  ],
  ['no scope', { lambda: { tenant: 'acme', scopes: '', key: 'key-1' } }],
])('%s is no principal', async (_, authorizer) => {
  const { app } = openTestApi({ authenticate: gatewayPrincipal })
  const headers = { Authorization: 'Bearer esp_x' }
  expect((await app.request('/v1/runs', { headers }, eventOf(authorizer))).status).toBe(401)
  expect((await app.request('/health', { headers }, eventOf(authorizer))).status).toBe(200)
})
