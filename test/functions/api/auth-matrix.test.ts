import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiApp } from '../../../functions/api/api-app.ts'
import { createApp } from '../../../functions/api/create-app.ts'
import { addFileRoute } from '../../../local/file-route.ts'
import { localPrincipal, newFolderWord } from '../../../local/local-principal.ts'
import { openKeys } from '../../../shared/core/auth/open-keys.ts'
import type { ErrorBody } from '../../../shared/core/contracts/error-body.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { type Scope, scopeSchema } from '../../../shared/core/contracts/key.ts'
import { openOwnWorld } from '../../support/open-test-world.ts'
import { FakeServices } from './fake-services.ts'

/**
 * What each route asks for: nothing, any key, a key with the scope, or to be the operator, which no key makes anybody. A
 * route without a row fails the test.
 */
const routes: Record<string, 'nothing' | 'any key' | 'the operator' | Scope> = {
  'GET /': 'nothing',
  'GET /health': 'nothing',
  'GET /openapi.json': 'nothing',
  'GET /docs': 'nothing',
  'GET /docs/': 'nothing',
  'GET /docs/start-docs.js': 'nothing',
  'GET /docs/swagger-ui.css': 'nothing',
  'GET /docs/swagger-ui-bundle.js': 'nothing',
  'GET /docs/favicon-32x32.png': 'nothing',
  'GET /v1/files/*': 'nothing',
  'GET /v1/environments': 'any key',
  'GET /v1/environments/:environment': 'any key',
  'GET /v1/environments/:environment/tasks': 'any key',
  'GET /v1/methods': 'any key',
  'GET /v1/methods/:method': 'any key',
  'GET /v1/presets': 'any key',
  'GET /v1/presets/:preset': 'any key',
  'GET /v1/models': 'any key',
  'POST /v1/sessions': 'runs:write',
  'GET /v1/sessions/:session': 'runs:write',
  'POST /v1/sessions/:session/turns': 'runs:write',
  'POST /v1/sessions/:session/save': 'runs:write',
  'DELETE /v1/sessions/:session': 'runs:write',
  'POST /v1/runs': 'runs:write',
  'GET /v1/runs': 'runs:read',
  'GET /v1/runs/:run': 'runs:read',
  'PATCH /v1/runs/:run': 'runs:write',
  'DELETE /v1/runs/:run': 'runs:write',
  'POST /v1/runs/:run/cancel': 'runs:write',
  'POST /v1/runs/:run/pause': 'runs:write',
  'POST /v1/runs/:run/resume': 'runs:write',
  'POST /v1/runs/:run/extend': 'runs:write',
  'POST /v1/runs/:run/retry': 'runs:write',
  'GET /v1/runs/:run/events': 'runs:read',
  'GET /v1/runs/:run/episodes': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/tree': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/trajectory': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/calls': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/growth': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/waterfall': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/tokens': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/journal-digest': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/nodes/:node': 'runs:read',
  'POST /v1/runs/:run/episodes/:episode/questions': 'runs:write',
  'GET /v1/runs/:run/judgements': 'runs:read',
  'POST /v1/runs/:run/judgements': 'runs:write',
  'POST /v1/runs/:run/scorings': 'runs:write',
  'GET /v1/runs/:run/scores': 'runs:read',
  'GET /v1/runs/:run/scores/:name': 'runs:read',
  'PUT /v1/runs/:run/episodes/:episode/judgements/:name': 'runs:write',
  'DELETE /v1/runs/:run/episodes/:episode/judgements/:name': 'runs:write',
  'GET /v1/runs/:run/report': 'runs:read',
  'GET /v1/runs/:run/curve': 'runs:read',
  'POST /v1/reports/compare': 'runs:read',
  'POST /v1/reports/leaderboard': 'runs:read',
  'GET /v1/transcripts': 'runs:read',
  'POST /v1/reports/curves': 'runs:read',
  'GET /v1/reports/success': 'runs:read',
  'GET /v1/experiments': 'runs:read',
  'GET /v1/memories': 'runs:read',
  'GET /v1/memories/:memory': 'runs:read',
  'GET /v1/memories/:memory/notes': 'runs:read',
  'GET /v1/memories/:memory/uses': 'runs:read',
  'GET /v1/libraries': 'runs:read',
  'GET /v1/libraries/:library': 'runs:read',
  'GET /v1/libraries/:library/actions': 'runs:read',
  'POST /v1/datasets': 'runs:write',
  'GET /v1/datasets': 'datasets:read',
  'GET /v1/datasets/:dataset': 'datasets:read',
  'PATCH /v1/datasets/:dataset': 'runs:write',
  'DELETE /v1/datasets/:dataset': 'runs:write',
  'GET /v1/datasets/:dataset/files': 'datasets:read',
  'GET /v1/datasets/:dataset/rows': 'datasets:read',
  'GET /v1/datasets/:dataset/readme': 'datasets:read',
  'POST /v1/trainings': 'runs:write',
  'GET /v1/trainings': 'runs:read',
  'GET /v1/trainings/:training': 'runs:read',
  'GET /v1/trainings/:training/metrics': 'runs:read',
  'POST /v1/trainings/:training/cancel': 'runs:write',
  'POST /v1/trainings/:training/pause': 'runs:write',
  'POST /v1/trainings/:training/resume': 'runs:write',
  'POST /v1/trainings/:training/checkpoints/:step/register': 'runs:write',
  'GET /v1/training-recipes': 'any key',
  'GET /v1/trainers': 'any key',
  'GET /v1/dataset-kinds': 'any key',
  'GET /v1/dataset-formats': 'any key',
  'POST /v1/trajectories': 'runs:write',
  'POST /v1/trajectories/:import/rows': 'runs:write',
  'GET /v1/trajectories': 'datasets:read',
  'GET /v1/trajectories/:import': 'datasets:read',
  'PATCH /v1/trajectories/:import': 'runs:write',
  'DELETE /v1/trajectories/:import': 'runs:write',
  'GET /v1/trajectories/:import/trajectories': 'datasets:read',
  'GET /v1/trajectories/:import/rejections': 'datasets:read',
  'GET /v1/endpoints': 'the operator',
  'POST /v1/endpoints': 'the operator',
  'GET /v1/endpoints/:endpoint': 'the operator',
  'PUT /v1/endpoints/:endpoint': 'the operator',
  'DELETE /v1/endpoints/:endpoint': 'the operator',
  'POST /v1/endpoints/:endpoint/test': 'the operator',
  'POST /v1/registered-models': 'runs:write',
  'PUT /v1/weight-parts/:sha256': 'runs:write',
  'GET /v1/registered-models': 'runs:read',
  'GET /v1/registered-models/:model': 'runs:read',
  'GET /v1/registered-models/:model/lineage': 'runs:read',
  'DELETE /v1/registered-models/:model': 'runs:write',
  'POST /v1/registered-models/:model/serve': 'runs:write',
  'POST /v1/registered-models/:model/stop': 'runs:write',
  'GET /v1/model-servers': 'runs:read',
  'POST /v1/rollouts': 'runs:write',
  'GET /v1/rollouts': 'runs:read',
  'GET /v1/rollouts/:rollout': 'runs:read',
  'POST /v1/rollouts/:rollout/cancel': 'runs:write',
  'POST /v1/rollouts/:rollout/policy': 'runs:write',
  'GET /v1/rollouts/:rollout/events': 'runs:read',
  'GET /v1/rollouts/:rollout/figures': 'runs:read',
  'GET /v1/rollouts/:rollout/groups/:group': 'runs:read',
  'GET /v1/runs/:run/episodes/:episode/credit': 'runs:read',
  'POST /v1/loops': 'runs:write',
  'GET /v1/loops': 'runs:read',
  'GET /v1/loops/:loop': 'runs:read',
  'GET /v1/loops/:loop/report': 'runs:read',
  'POST /v1/loops/:loop/pause': 'runs:write',
  'POST /v1/loops/:loop/resume': 'runs:write',
  'POST /v1/loops/:loop/cancel': 'runs:write',
  'GET /v1/loop-recipes': 'any key',
  'POST /v1/keys': 'admin',
  'GET /v1/keys': 'admin',
  'DELETE /v1/keys/:key': 'admin',
  'GET /v1/limits': 'runs:read',
  'GET /v1/workers': 'runs:read',
  'PUT /v1/limits': 'the operator',
}

/** Who asks, and with which scopes; null for an unknown caller. */
const roles: Record<string, Scope[] | null> = {
  unknown: null,
  'a stranger': null,
  'a revoked key': null,
  'an expired key': null,
  'a runs:write key': ['runs:write'],
  'a runs:read key': ['runs:read'],
  'a datasets:read key': ['datasets:read'],
  'a reading key': ['runs:read', 'datasets:read'],
  'an admin': ['admin'],
  'a key with every scope': [...scopeSchema.options],
  'the operator': ['admin'],
}

const open: string[] = []
let app: ApiApp
const headers: Record<string, Record<string, string>> = { unknown: {} }

beforeAll(async () => {
  const { world, close } = await openOwnWorld()
  let now = world.clock.now()
  const keys = openKeys({ ledger: world.ledger, clock: { now: () => now } })
  const services = new FakeServices()
  const word = newFolderWord()
  app = createApp(services, { authenticate: localPrincipal({ keys, auth: 'keys', word }), log: () => {} })
  const refuse = (): never => {
    throw new EspalierError('invalid_signature', 'It was changed.')
  }
  addFileRoute(app, { objects: world.objects, verify: refuse })
  const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })
  headers['a stranger'] = bearer(`esp_${'0'.repeat(18)}_${'0'.repeat(52)}`)
  const expired = await keys.create('default', { name: 'old', scopes: ['admin'], expires_in: 1 })
  headers['an expired key'] = bearer(expired.key)
  now += 2000
  const revoked = await keys.create('default', { name: 'gone', scopes: ['admin'] })
  await keys.revoke('default', revoked.id)
  headers['a revoked key'] = bearer(revoked.key)
  for (const [role, scopes] of Object.entries(roles)) {
    if (scopes !== null) headers[role] = bearer((await keys.create('default', { name: role, scopes })).key)
  }
  headers['the operator'] = bearer(word)
  open.push(
    ...new Set(
      app.routes.filter(({ method }) => method !== 'ALL').map((each) => `${each.method} ${each.path}`),
    ),
  )
  return close
})

test('the table has a row for every route, and no other', () => {
  expect(open.toSorted()).toEqual(Object.keys(routes).toSorted())
})

describe.each(Object.entries(roles))('%s', (role, scopes) => {
  test.each(Object.entries(routes))('%s, which asks for %s', async (route, need) => {
    const [method = '', path = ''] = route.split(' ')
    const answer = await app.request(path.replaceAll(/:\w+/g, 'x').replace('*', 'x'), {
      method,
      headers: headers[role] ?? {},
    })
    const refusal = await refusalOf(answer)
    if (need === 'nothing') expect(refusal).toBeNull()
    else if (scopes === null) expect(refusal).toBe(role === 'unknown' ? 'missing_key' : 'invalid_key')
    else if (need === 'the operator') expect(refusal).toBe(role === need ? null : 'not_operator')
    else if (need === 'any key' || scopes.includes(need) || scopes.includes('admin'))
      expect(refusal).toBeNull()
    else expect(refusal).toBe('missing_scope')
  })
})

describe('an unknown caller', () => {
  test.each([
    ['a path that is not there', 'GET', '/v1/nothing', undefined],
    ['a method that is not taken', 'PUT', '/v1/runs', undefined],
    ['a body that is not JSON', 'POST', '/v1/runs', '{'],
    ['a body that is too large', 'POST', '/v1/runs', ' '.repeat(9 * 1024 * 1024)],
    ['another method of an open path', 'POST', '/health', undefined],
  ])('learns nothing from %s', async (_, method, path, body) => {
    const answer = await app.request(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...headers['a stranger'] },
      ...(body === undefined ? {} : { body }),
    })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer')
    const { error } = (await answer.json()) as ErrorBody
    expect(error).toMatchObject({ type: 'authentication_error', code: 'invalid_key' })
  })

  test.each(['Basic abc', 'Bearer', 'Bearer ', 'esp_x'])('shows a key by "%s"', async (header) => {
    const answer = await app.request('/v1/runs', { headers: { Authorization: header } })
    expect(await refusalOf(answer)).toBe('invalid_key')
  })

  test('gets the way to show a key, and nothing of what was sent', async () => {
    const text = await (await app.request('/v1/runs', { headers: headers['a stranger'] ?? {} })).text()
    expect(text).toContain('Bearer esp_…')
    expect(text).not.toContain('0000')
  })
})

test('a missing scope is named, before it is said whether the object is there', async () => {
  const answer = await app.request('/v1/runs/none/cancel', {
    method: 'POST',
    headers: headers['a reading key'] ?? {},
  })
  expect(answer.status).toBe(403)
  const { error } = (await answer.json()) as ErrorBody
  expect(error).toMatchObject({ type: 'permission_error', code: 'missing_scope' })
  expect(error.message).toContain('"runs:write"')
})

test('what only the operator may do is refused with the way to do it', async () => {
  const answer = await app.request('/v1/limits', {
    method: 'PUT',
    headers: { 'Content-Type': 'application/json', ...headers['a key with every scope'] },
    body: JSON.stringify({ cost: 1 }),
  })
  expect(answer.status).toBe(403)
  const { error } = (await answer.json()) as ErrorBody
  expect(error).toMatchObject({ type: 'permission_error', code: 'not_operator' })
  expect(error.message).toContain('espalier limits set --stage STAGE --tenant TENANT')
})

test('the document says of every route what it asks for', async () => {
  interface Operation {
    security?: { api_key: string[] }[]
    responses: Record<string, unknown>
  }
  const document = (await (await app.request('/openapi.json')).json()) as {
    paths: Record<string, Record<string, Operation>>
    components: { securitySchemes: unknown }
  }
  expect(document.components.securitySchemes).toMatchObject({ api_key: { type: 'http', scheme: 'bearer' } })
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const [method, { security, responses }] of Object.entries(operations)) {
      const need = routes[`${method.toUpperCase()} ${path.replaceAll(/\{(.+?)\}/g, ':$1')}`]
      const scopes = scopeSchema.options.filter((scope) => scope === need)
      const roles = need === 'the operator' ? ['operator'] : scopes
      expect(security).toEqual(need === 'nothing' ? undefined : [{ api_key: roles }])
      expect('401' in responses).toBe(need !== 'nothing')
      expect('403' in responses).toBe(roles.length > 0)
    }
  }
})

/** The code of a refusal by key or scope; null for any other answer. */
async function refusalOf(answer: Response): Promise<string | null> {
  if (answer.status !== 401 && answer.status !== 403) {
    await answer.body?.cancel()
    return null
  }
  const { error } = (await answer.json()) as ErrorBody
  return error.code === 'invalid_signature' ? null : error.code
}
