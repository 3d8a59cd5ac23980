import type { LambdaContext, LambdaEvent } from 'hono/aws-lambda'
import { handle } from 'hono/aws-lambda'
import { describe, expect, test } from 'vitest'
import { gatewayPrincipal } from '../../../functions/api/authentication/gateway-principal.ts'
import { needsNoKey } from '../../../functions/api/authentication/needs.ts'
import { authorizeWith } from '../../../functions/authorizer/authorize.ts'
import { openKeys } from '../../../shared/core/auth/open-keys.ts'
import { openTestWorld } from '../../support/open-test-world.ts'
import { openTestApi } from './open-test-api.ts'

type Headers = Record<string, string>

/** What the gateway sends on for a request, with what its authorizer said where it was asked. */
function eventOf(method: string, path: string, headers: Headers = {}, lambda?: unknown) {
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: '',
    headers: { host: 'api.example.com', ...headers },
    requestContext: {
      accountId: '1',
      apiId: 'api',
      domainName: 'api.example.com',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      requestId: 'request',
      routeKey: '$default',
      stage: '$default',
      time: '',
      timeEpoch: 0,
      ...(lambda === undefined ? {} : { authorizer: { lambda } }),
    },
    body: null,
    isBase64Encoded: false,
  }
}

async function openGateway() {
  const { app, services } = openTestApi({ authenticate: gatewayPrincipal })
  const handler = handle(app)
  const send = async (...request: Parameters<typeof eventOf>) => {
    const answer = await handler(eventOf(...request) as unknown as LambdaEvent, {} as LambdaContext)
    return { ...answer, headers: { ...answer.headers } }
  }
  return { app, services, send }
}

describe('what reaches the function without a principal', () => {
  test('is answered on public routes alone, by whatever verb and with whatever the caller claims to be', async () => {
    const { app, services, send } = await openGateway()
    const open = new Set(app.routes.filter(({ handler }) => handler === needsNoKey).map(({ path }) => path))
    expect(open).toEqual(
      new Set(app.routes.map(({ path }) => path).filter((path) => /^\/($|docs|health|openapi)/.test(path))),
    )
    const claims = {
      authorization: 'Bearer esp_x',
      'espalier-tenant': 'acme',
      'x-amzn-request-context': '{"authorizer":{"lambda":{"tenant":"acme","scopes":"admin","key":"key-1"}}}',
    }
    for (const path of new Set(app.routes.map(({ path }) => path.replaceAll(/:\w+/g, 'x')))) {
      if (path.includes('*')) continue
      for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const isOpen = open.has(path) && ['GET', 'HEAD'].includes(method)
        const { statusCode } = await send(method, path, claims, {})
        expect(statusCode === 401, `${method} ${path}: ${statusCode}`).toBe(!isOpen)
      }
    }
    expect(services.tenants).toEqual([])
  })

  test.each([
    '/docs/../v1/runs',
    '/docs/%2e%2e/v1/runs',
    '/docs/..%2fv1/runs',
    '/docs/x/../../v1/keys',
    '//v1/runs',
    '/docs//v1/runs',
    '/V1/runs',
    '/health/../v1/runs',
    '/health%2f..%2fv1/runs',
    '/v1/nothing',
    '/',
  ])('reaches no tenant by the path %s', async (path) => {
    const { services, send } = await openGateway()
    const { statusCode } = await send('GET', path)
    expect(services.tenants).toEqual([])
    expect([302, 401]).toContain(statusCode)
  })
})

test('the authorizer refuses a wrong key, and a right one reaches the API with its tenant', async () => {
  const keys = openKeys(await openTestWorld())
  const { key } = await keys.create('acme', { name: 'nightly', scopes: ['runs:read'] })
  const authorize = authorizeWith(keys)
  const { services, send } = await openGateway()
  const wrong = `${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`
  expect(await authorize({ identitySource: [`Bearer ${wrong}`] })).toEqual({ isAuthorized: false })
  const authorization = `bearer ${key}`
  const right = await authorize({ identitySource: [authorization] })
  const answer = await send('GET', '/v1/runs', { authorization }, 'context' in right ? right.context : {})
  expect(answer.statusCode).toBe(200)
  expect(services.tenants).toEqual(['acme'])
})
