import { expect, test } from 'vitest'
import { ApiError } from '../../../shared/core/client/api-error.ts'
import { createClient } from '../../../shared/core/client/client.ts'
import { ConnectionError } from '../../../shared/core/client/connection-error.ts'
import { createFetchTransport } from '../../../shared/core/client/fetch-transport.ts'

const address = 'https://service.example'

/** Answers requests in turn, a failure where an error stands, and keeps what was asked. */
function answering(...answers: (Response | Error)[]) {
  const asked: Request[] = []
  const fetch = async (url: string, init: RequestInit) => {
    asked.push(new Request(url, init))
    const answer = answers.shift() ?? new Error('asked too often')
    if (answer instanceof Error) throw answer
    return answer
  }
  return { asked, fetch }
}

const broken = new TypeError('fetch failed', { cause: Object.assign(new Error(), { code: 'ECONNRESET' }) })

test('a request has the key, the query and the body as JSON', async () => {
  const { asked, fetch } = answering(Response.json({ id: 'run-1' }))
  const client = createClient({ address, key: 'word', fetch })
  expect(await client.createRun({ environment: 'textcraft' }, 'once')).toEqual({ id: 'run-1' })
  expect(asked[0]).toMatchObject({ method: 'POST', url: `${address}/v1/runs` })
  expect(Object.fromEntries(asked[0]?.headers ?? [])).toMatchObject({
    authorization: 'Bearer word',
    'content-type': 'application/json',
    'idempotency-key': 'once',
  })
  expect(await asked[0]?.json()).toEqual({ environment: 'textcraft' })
})

test('a table keeps the byte-order mark, by which Excel knows its encoding', async () => {
  const { fetch } = answering(new Response('\uFEFFrun\r\n看板\r\n'))
  const table = await createClient({ address, fetch }).compareAs('csv', ['run-1', 'run-2'])
  expect(table).toBe('\uFEFFrun\r\n看板\r\n')
})

test('a signed address elsewhere is opened without the key', async () => {
  const { asked, fetch } = answering(new Response('rows'))
  await createClient({ address, key: 'word', fetch }).download('https://store.example/file?signature=1')
  expect(asked[0]?.headers.has('Authorization')).toBe(false)
})

test('a refusal is an ApiError with the code and the words of the service', async () => {
  const error = { type: 'invalid_request_error', code: 'unknown_run', message: 'No such run.', param: 'id' }
  const { fetch } = answering(Response.json({ error }, { status: 404 }))
  const refused = createClient({ address, fetch }).run('run-9')
  await expect(refused).rejects.toThrow(ApiError)
  await expect(refused).rejects.toMatchObject({ status: 404, code: 'unknown_run', param: 'id' })
})

test('an answer of a gateway that has a message alone is an ApiError with that message', async () => {
  const { fetch } = answering(Response.json({ error: { message: 'No luck.' } }, { status: 502 }))
  await expect(createClient({ address, fetch }).run('run-9')).rejects.toMatchObject({
    message: 'No luck.',
    code: 'unexpected_answer',
    param: null,
  })
})

test.each([
  ['reads', 'GET', {}],
  ['has a key of its own', 'POST', { 'Idempotency-Key': 'once' }],
] as const)('a broken request that %s is sent again', async (_name, method, headers) => {
  const { asked, fetch } = answering(broken, Response.json({}))
  await createFetchTransport({ address, fetch }).send(method, '/v1/runs', { headers })
  expect(asked).toHaveLength(2)
})

test('any other is sent once, and its error says what broke', async () => {
  const { asked, fetch } = answering(broken)
  const sent = createFetchTransport({ address, fetch }).send('POST', '/v1/keys', { body: {} })
  await expect(sent).rejects.toThrow(ConnectionError)
  await expect(sent).rejects.toThrow('No service answers at https://service.example (ECONNRESET).')
  expect(asked).toHaveLength(1)
})

test('a request that its caller ends is not sent again', async () => {
  const control = new AbortController()
  const { asked, fetch } = answering(broken, Response.json({}))
  control.abort()
  const sent = createFetchTransport({ address, fetch, signal: control.signal }).send('GET', '/v1/runs')
  await expect(sent).rejects.toBe(broken)
  expect(asked).toHaveLength(1)
})
