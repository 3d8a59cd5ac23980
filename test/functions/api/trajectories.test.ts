import { expect, test } from 'vitest'
import { createApp } from '../../../functions/api/create-app.ts'
import { rowExample } from '../../../functions/api/openapi/trajectory-examples.ts'
import type { TrajectoryImport } from '../../../shared/core/contracts/trajectory-import.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { openTrajectories } from '../../../shared/data/trajectories/open-trajectories.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { FakeServices } from './fake-services.ts'
import { readError } from './open-test-api.ts'

/** The API over real trajectories. */
async function openApi() {
  const world = await openLocalWorld({ folder: await temporaryFolder() })
  const services = new FakeServices()
  Object.assign(services, { trajectories: openTrajectories({ world }).of('default') })
  const app = createApp(services, {
    authenticate: () => ({ tenant: 'default', scopes: ['admin'], key: null }),
  })
  async function post(
    path: string,
    body: string | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
  ) {
    return app.request(path, {
      method: 'POST',
      body,
      headers: { 'Content-Type': 'application/x-ndjson', ...headers },
    })
  }
  const get = async (path: string) => (await app.request(path)).json()
  return { app, post, get, close: () => world.close() }
}

const good = JSON.stringify(rowExample)
const path = '/v1/trajectories?format=agenttraj'

test('rows are taken, rejected and listed', async () => {
  const { post, get, close } = await openApi()
  const answer = await post(`${path}&name=mine&file=a.jsonl`, `${good}\nnonsense\n${good}`)
  expect(answer.status).toBe(201)
  const made = (await answer.json()) as TrajectoryImport
  expect(answer.headers.get('Location')).toBe(`/v1/trajectories/${made.id}`)
  expect(made).toMatchObject({ name: 'mine', status: 'complete', trajectories: 2, rejected: 1, next: 4 })
  expect(await get(`/v1/trajectories/${made.id}`)).toEqual(made)
  expect(await get('/v1/trajectories')).toMatchObject({ data: [made], has_more: false })
  expect(await get(`/v1/trajectories/${made.id}/trajectories?limit=1`)).toMatchObject({
    data: [
      {
        id: 'row-0000001',
        environment: 'textcraft',
        task: 'textcraft_12',
        status: 'succeeded',
        file: 'a.jsonl',
        line: 1,
      },
    ],
    has_more: true,
  })
  expect(await get(`/v1/trajectories/${made.id}/rejections`)).toMatchObject({
    data: [{ id: 'row-0000002', line: 2, reason: expect.stringContaining('not JSON') }],
  })
  await close()
})

test('a list labelled as JSON is taken too', async () => {
  const { post, close } = await openApi()
  const answer = await post(path, `[${good}, {"item_id": "x"}]`, { 'Content-Type': 'application/json' })
  expect(await answer.json()).toMatchObject({ trajectories: 1, rejected: 1 })
  await close()
})

test('more rows follow by first, and a key makes one import', async () => {
  const { post, close } = await openApi()
  const key = { 'Idempotency-Key': 'k' }
  const [one, other] = await Promise.all([1, 2].map(() => post(`${path}&more=true`, good, key)))
  const made = (await one?.json()) as TrajectoryImport
  expect(await other?.json()).toEqual(made)
  expect(made).toMatchObject({ status: 'receiving', next: 2 })
  const rows = `/v1/trajectories/${made.id}/rows`
  expect(await readError(await post(`${rows}?first=7`, good))).toMatchObject({ status: 409, param: 'first' })
  expect(await (await post(`${rows}?first=2`, good)).json()).toMatchObject({ status: 'complete', next: 3 })
  expect(await readError(await post(`${rows}?first=3`, good))).toMatchObject({
    status: 409,
    code: 'invalid_state',
  })
  await close()
})

test.each([
  ['a format that there is not', '/v1/trajectories?format=csv', good, {}, { status: 400, param: 'format' }],
  ['no format', '/v1/trajectories', good, {}, { status: 400, param: 'format' }],
  ['a misspelt setting', `${path}&env=x`, good, {}, { status: 400, code: 'unknown_field', param: 'env' }],
  ['a reward above 1', `${path}&reward=2`, good, {}, { status: 400, param: 'reward' }],
  ['another type of body', path, good, { 'Content-Type': 'text/csv' }, { status: 415 }],
  ['nothing', path, '', {}, { status: 400, message: 'There are no rows in the body.' }],
  [
    'a body that is no JSON as a whole',
    path,
    '[{',
    { 'Content-Type': 'application/json' },
    { status: 400, code: 'invalid_json' },
  ],
  [
    'a JSON body that is not UTF-8',
    path,
    Buffer.from('[{"item_id": "é"}]', 'latin1'),
    { 'Content-Type': 'application/json' },
    { status: 400, code: 'invalid_json', message: expect.stringContaining('UTF-8') },
  ],
  [
    'a body that is too large',
    path,
    ' '.repeat(9 * 1024 * 1024),
    {},
    { status: 413, message: expect.stringContaining('espalier import') },
  ],
  [
    'rows of another format alone',
    '/v1/trajectories?format=xtuner',
    good,
    {},
    { status: 400, message: expect.stringContaining('agenttraj') },
  ],
  [
    'an import that there is not',
    '/v1/trajectories/import-1/rows?first=1',
    good,
    {},
    { status: 404, param: 'import' },
  ],
])('%s is refused with the way out', async (_, address, body, headers, expected) => {
  const { post, get, close } = await openApi()
  expect(await readError(await post(address, body, headers))).toMatchObject(expected)
  expect(await get('/v1/trajectories')).toMatchObject({ data: [] })
  await close()
})

test('another tenant learns nothing of an import, not even that it is there', async () => {
  const world = await openLocalWorld({ folder: await temporaryFolder() })
  const services = new FakeServices()
  const tenants = openTrajectories({ world })
  const app = createApp(
    { ...services, tenant: (name) => ({ ...services.tenant(name), trajectories: tenants.of(name) }) },
    {
      authenticate: (context) => ({
        tenant: context.req.header('Tenant') ?? 'default',
        scopes: ['admin'],
        key: null,
      }),
    },
  )
  const ask = (tenant: string, method: string, address: string, body?: string) =>
    app.request(address, {
      method,
      headers: { Tenant: tenant, 'Content-Type': 'application/x-ndjson', 'Idempotency-Key': 'same' },
      ...(body !== undefined && { body }),
    })
  const made = (await (
    await ask('acme', 'POST', `${path}&more=true&name=secret`, good)
  ).json()) as TrajectoryImport
  const requests = [
    ['GET', '/v1/trajectories/ID'],
    ['GET', '/v1/trajectories/ID/trajectories'],
    ['GET', '/v1/trajectories/ID/rejections'],
    ['POST', '/v1/trajectories/ID/rows?first=2'],
  ] as const
  for (const [method, address] of requests) {
    for (const id of [made.id, 'import-0000000000-00000000']) {
      const body = method === 'POST' ? good : undefined
      expect(await readError(await ask('rival', method, address.replace('ID', id), body))).toEqual({
        status: 404,
        type: 'not_found_error',
        code: 'not_found',
        param: 'import',
        message: `There are no imported trajectories "${id}". List the imports to find its id.`,
      })
    }
  }
  expect(await (await ask('rival', 'GET', '/v1/trajectories')).text()).not.toContain('secret')
  const own = (await (
    await ask('rival', 'POST', `${path}&more=true&name=secret`, good)
  ).json()) as TrajectoryImport
  expect(own.id).not.toBe(made.id)
  await world.close()
})
