import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { validRun } from './fake-answers.ts'
import { openTestApi, readError } from './open-test-api.ts'

const wrongBodies: [string, unknown, { code: string; param: string | null; says: string }][] = [
  [
    'a missing field',
    { ...validRun, environment: undefined },
    { code: 'invalid_request', param: 'environment', says: '"environment" is missing. It must be a string.' },
  ],
  [
    'a misspelt field',
    { ...validRun, task: {} },
    { code: 'unknown_field', param: 'task', says: 'Did you mean "tasks"?' },
  ],
  [
    'a field in another style',
    { ...validRun, maxParallel: 3 },
    { code: 'unknown_field', param: 'maxParallel', says: 'Did you mean "max_parallel"?' },
  ],
  [
    'an unknown field far inside',
    { ...validRun, model: { ...validRun.model, key: 's' } },
    { code: 'unknown_field', param: 'model.key', says: 'Known here: endpoint, id, temperature' },
  ],
  [
    'an unknown role',
    { ...validRun, roles: { referee: validRun.model } },
    { code: 'unknown_field', param: 'roles.referee', says: 'Known here: value, debate, reflection' },
  ],
  [
    'a wrong type',
    { ...validRun, epochs: '2' },
    { code: 'invalid_request', param: 'epochs', says: 'must be a number, not "2"' },
  ],
  [
    'a fraction',
    { ...validRun, epochs: 1.5 },
    { code: 'invalid_request', param: 'epochs', says: 'must be a whole number, not 1.5' },
  ],
  [
    'a wrong choice',
    { ...validRun, hosting: 'cloud' },
    { code: 'invalid_request', param: 'hosting', says: 'one of "auto", "worker", "host", not "cloud"' },
  ],
  [
    'a limit of zero',
    { ...validRun, limits: { cost: 0 } },
    { code: 'invalid_request', param: 'limits.cost', says: 'must be more than 0' },
  ],
  [
    'a negative number',
    { ...validRun, episode_limits: { steps: -1 } },
    { code: 'invalid_request', param: 'episode_limits.steps', says: 'must be more than 0' },
  ],
  [
    'a value too large',
    { ...validRun, seed: 2 ** 31 },
    { code: 'invalid_request', param: 'seed', says: 'at most 2147483647' },
  ],
  [
    'a place in a list',
    { ...validRun, tasks: { ids: ['a', 5] } },
    { code: 'invalid_request', param: 'tasks.ids[1]', says: 'must be a string, not 5' },
  ],
  [
    'an empty list',
    { ...validRun, tasks: { ids: [] } },
    { code: 'invalid_request', param: 'tasks.ids', says: 'at least 1 entry' },
  ],
  [
    'a name that is too long',
    { ...validRun, metadata: { ['k'.repeat(65)]: 'v' } },
    { code: 'invalid_request', param: 'metadata', says: 'a name must have at most 64 characters' },
  ],
  [
    'no object',
    [validRun],
    { code: 'invalid_request', param: null, says: 'The body must be a JSON object, not an array.' },
  ],
  [
    'deep nesting',
    { ...validRun, method: { id: 'm', deep: JSON.parse('['.repeat(70) + ']'.repeat(70)) } },
    { code: 'invalid_request', param: null, says: 'deeper than 64' },
  ],
]

test.each(wrongBodies)(
  'a body with %s is refused by the name of its field, and nothing is created',
  async (_, body, expected) => {
    const { post, services } = openTestApi()
    const error = await readError(await post('/v1/runs', body))
    expect(error).toMatchObject({
      status: 400,
      type: 'invalid_request_error',
      code: expected.code,
      param: expected.param,
    })
    expect(error.message).toContain(expected.says)
    expect(services.calls).toEqual([])
  },
)

test('the message says how many more fields need mending', async () => {
  const { post } = openTestApi()
  expect((await readError(await post('/v1/runs', {}))).message).toContain('(2 more fields need mending.)')
})

test('a field with two faults is one to mend, and each unknown field is one', async () => {
  const { post } = openTestApi()
  const said = async (body: object) =>
    (await readError(await post('/v1/datasets', { runs: ['r'], ...body }))).message
  expect(await said({ limits: { cost: -1 } })).toBe('"limits.cost" must be more than 0.')
  expect(await said({ one: 1, two: 2, three: 3 })).toContain('(2 more fields need mending.)')
})

test('a name that is not allowed is shown, with what it may be', async () => {
  const { post } = openTestApi()
  const { message, param } = await readError(
    await post('/v1/datasets', { runs: ['r'], splits: { Train: 1 } }),
  )
  expect(message).toBe(
    '"splits" has the name "Train" that is not allowed; a name must be small letters, digits and _, at most 32, and begin with a letter.',
  )
  expect(param).toBe('splits')
})

test.each([
  ['{"a": 1,}', 'line 1, column 9: unexpected "}"'],
  ['{"a":\n "b', 'line 2, column 2: unexpected "\\"b"'],
  [' ', 'line 1, column 2: unexpected the end of the body'],
  ['NaN', 'line 1, column 1: unexpected "NaN"'],
])('broken JSON %j is answered with its place', async (body, place) => {
  const { post } = openTestApi()
  const error = await readError(await post('/v1/runs', body))
  expect(error).toMatchObject({ status: 400, code: 'invalid_json', param: null })
  expect(error.message).toContain(place)
})

test.each(['text/plain', 'application/x-www-form-urlencoded'])(
  'a body sent as %s is refused',
  async (type) => {
    const { post } = openTestApi()
    const error = await readError(await post('/v1/runs', validRun, { 'Content-Type': type }))
    expect(error).toMatchObject({ status: 415, code: 'unsupported_media_type' })
    expect(error.message).toContain('Content-Type: application/json')
  },
)

test('JSON with a charset is taken', async () => {
  const { post } = openTestApi()
  expect(
    (await post('/v1/runs', validRun, { 'Content-Type': 'application/json; charset=utf-8' })).status,
  ).toBe(201)
})

test('a body of 10 MB is refused, whether or not its length was declared', async () => {
  const { app, post, services } = openTestApi()
  const body = JSON.stringify({ ...validRun, name: 'x'.repeat(10 * 1024 * 1024) })
  expect(
    await readError(await post('/v1/runs', body, { 'Content-Length': String(body.length) })),
  ).toMatchObject({
    status: 413,
    code: 'body_too_large',
  })
  const headers = { 'Content-Type': 'application/json' }
  const streamed = await app.request('/v1/runs', {
    method: 'POST',
    headers,
    body: new Blob([body]).stream(),
    duplex: 'half',
  } as RequestInit)
  expect(await readError(streamed)).toMatchObject({ status: 413, code: 'body_too_large' })
  expect(services.calls).toEqual([])
})

test('a large body with a mistake at its end is located without a crash', async () => {
  const { post } = openTestApi()
  const ids = `{"ids": "${'x'.repeat(4_000_000)}\\n${'y'.repeat(3_000_000)}", }`
  expect(await readError(await post('/v1/runs', ids))).toMatchObject({ status: 400, code: 'invalid_json' })
})

test('an address that does not exist names the document that lists them', async () => {
  const { app } = openTestApi()
  const error = await readError(await app.request('/v1/nothing'))
  expect(error).toMatchObject({ status: 404, type: 'not_found_error', code: 'not_found' })
  expect(error.message).toContain('/openapi.json')
})

test.each([
  ['PUT', '/v1/runs', 'POST, GET, HEAD'],
  ['PUT', '/v1/runs/run-1', 'GET, HEAD, PATCH, DELETE'],
  ['GET', '/v1/runs/run-1/cancel', 'POST'],
  ['POST', '/health', 'GET, HEAD'],
])('%s %s is answered with the verbs that are allowed', async (method, path, allowed) => {
  const { app } = openTestApi()
  const answer = await app.request(path, { method })
  expect(answer.headers.get('Allow')).toBe(allowed)
  expect(await readError(answer)).toMatchObject({ status: 405, code: 'method_not_allowed' })
  // An id that is missing is no address, not a wrong verb.
  expect(await readError(await app.request('/v1/runs//report'))).toMatchObject({
    status: 404,
    code: 'not_found',
  })
})

test.each([
  '%00',
  '%E0%A4%A',
  'a%2Fb',
  '..%2F..%2Fetc',
  'x'.repeat(200),
  '%3Cscript%3E',
  '-x',
  '%F0%9F%8C%B3',
])('an id such as %s is answered like any that does not exist', async (id) => {
  const { app, services } = openTestApi()
  const error = await readError(await app.request(`/v1/runs/${id}`))
  expect(error).toMatchObject({ status: 404, type: 'not_found_error', code: 'not_found', param: 'run' })
  expect(services.calls).toEqual([])
})

test.each([
  ['limit=0', 'limit', 'invalid_request'],
  ['limit=many', 'limit', 'invalid_request'],
  ['limit=1&limit=2', 'limit', 'invalid_request'],
  ['limit=1001', 'limit', 'invalid_request'],
  ['limt=5', 'limt', 'unknown_field'],
])('the query ?%s is refused', async (query, param, code) => {
  const { app } = openTestApi()
  expect(await readError(await app.request(`/v1/runs?${query}`))).toMatchObject({ status: 400, code, param })
})

test('errors of the services are answered with their own status, code and field', async () => {
  const { app, services, logged } = openTestApi()
  services.failure = new EspalierError('invalid_state', 'The run is running.', { param: 'run' })
  expect(await readError(await app.request('/v1/runs/run-1'))).toEqual({
    status: 409,
    type: 'conflict_error',
    code: 'invalid_state',
    message: 'The run is running.',
    param: 'run',
  })
  expect(logged).toEqual([])
})

test('a bug is reported to the log and not to the user', async () => {
  const { app, services, logged } = openTestApi()
  services.failure = new Error('SECRET detail', { cause: new Error('its cause') })
  const answer = await app.request('/v1/runs/run-1')
  const requestId = answer.headers.get('X-Request-Id')
  const error = await readError(answer)
  expect(error).toMatchObject({ status: 500, type: 'server_error', code: 'internal', param: null })
  expect(error.message).toContain(requestId)
  expect(JSON.stringify(error)).not.toMatch(/SECRET|\.ts/)
  expect(logged).toMatchObject([
    { level: 'error', request_id: requestId, method: 'GET', path: '/v1/runs/run-1' },
  ])
  expect(logged[0]?.error).toMatch(/SECRET detail[\s\S]*its cause/)
})

test('a failure of the storage is reported to both', async () => {
  const { app, services, logged } = openTestApi()
  services.failure = new EspalierError('storage_failed', 'The disk is full.')
  expect(await readError(await app.request('/v1/runs'))).toMatchObject({
    status: 507,
    message: 'The disk is full.',
  })
  expect(logged).toHaveLength(1)
})

test.each([
  '/health',
  '/v1/nothing',
  '/openapi.json',
  '/docs',
  '/docs/swagger-ui.css',
  '/',
  '/v1/runs?limit=x',
])('the answer to %s carries a request id', async (path) => {
  const { app } = openTestApi()
  expect((await app.request(path)).headers.get('X-Request-Id')).toMatch(/^[\w-]{36}$/)
})

test("a client's own request id is kept", async () => {
  const { app } = openTestApi()
  const answer = await app.request('/health', { headers: { 'X-Request-Id': 'trace-17' } })
  expect(answer.headers.get('X-Request-Id')).toBe('trace-17')
})

test('no JSON body makes POST /v1/runs fail', async () => {
  const { post } = openTestApi()
  const fields = fc.record(
    {
      environment: fc.oneof(fc.constant('textcraft'), fc.jsonValue()),
      method: fc.oneof(fc.constant({ id: 'react' }), fc.jsonValue()),
      model: fc.oneof(fc.constant(validRun.model), fc.jsonValue()),
      tasks: fc.oneof(fc.record({ ids: fc.jsonValue(), range: fc.jsonValue() }), fc.jsonValue()),
      roles: fc.dictionary(fc.string(), fc.jsonValue()),
      limits: fc.jsonValue(),
      metadata: fc.dictionary(fc.string(), fc.jsonValue()),
      __proto__: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.json(),
        fields.map((body) => JSON.stringify(body)),
      ),
      async (body) => {
        const answer = await post('/v1/runs', body)
        if (answer.status !== 201) expect((await readError(answer)).status).toBe(400)
      },
    ),
    { numRuns: 300 },
  )
})
