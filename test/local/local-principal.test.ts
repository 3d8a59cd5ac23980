import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tenantHeader } from '../../local/local-principal.ts'
import { openService, type ServiceOptions } from '../../local/open-service.ts'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import { readServiceFile } from '../../shared/core/world/local/service-file.ts'
import { readError } from '../functions/api/open-test-api.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const request = {
  environment: 'textcraft',
  tasks: { split: 'test', limit: 1 },
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
}

async function open(options: Partial<ServiceOptions> = {}) {
  const folder = options.folder ?? (await temporaryFolder())
  const service = await openService({ folder, port: 0, work: false, log: () => undefined, ...options })
  onTestFinished(() => service.close({ grace: 1 }))
  const get = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, service.address), { headers })
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    fetch(new URL(path, service.address), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const runsOf = async (headers: Record<string, string> = {}) => {
    const list = (await (await get('/v1/runs', headers)).json()) as List<Run>
    return list.data.map(({ id }) => id)
  }
  return { ...service, folder, get, post, runsOf }
}

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

describe('a service that does not ask for keys', () => {
  test('takes a request without one as the default tenant, with every right', async () => {
    const { post, runsOf, word, auth } = await open()
    expect(auth).toBe('none')
    const { id } = (await (await post('/v1/runs', request)).json()) as Run
    expect(await runsOf()).toEqual([id])
    expect(await runsOf(bearer(word))).toEqual([id])
    expect((await post('/v1/keys', { name: 'x', scopes: ['admin'] })).status).toBe(201)
  })

  test('checks a key all the same, where one is shown', async () => {
    const { get, post } = await open()
    const made = await post('/v1/keys', { name: 'reader', scopes: ['runs:read'] })
    expect(made.headers.get('Cache-Control')).toBe('no-store')
    const { key } = (await made.json()) as CreatedKey
    expect((await get('/v1/runs', bearer(key))).status).toBe(200)
    expect((await get('/v1/keys', bearer(key))).status).toBe(403)
    expect(await readError(await get('/v1/runs', bearer(`${key}x`)))).toMatchObject({
      status: 401,
      code: 'invalid_key',
    })
  })

  test('shows the holder of the folder alone what is another tenant', async () => {
    const { get, post, runsOf, word } = await open()
    const holder = { ...bearer(word), [tenantHeader]: 'acme' }
    const { id } = (await (await post('/v1/runs', request, holder)).json()) as Run
    expect(await runsOf(holder)).toEqual([id])
    expect(await runsOf()).toEqual([])
    // The header alone is no right.
    expect(await runsOf({ [tenantHeader]: 'acme' })).toEqual([])
    expect((await get(`/v1/runs/${id}`)).status).toBe(404)
    const odd = await get('/v1/runs', { ...bearer(word), [tenantHeader]: '../acme' })
    expect(await readError(odd)).toMatchObject({ status: 400, param: 'tenant' })
  })
})

describe('a service that asks for keys', () => {
  test('answers no caller without one, but for its health and its documents', async () => {
    const { get } = await open({ auth: 'keys' })
    expect(await readError(await get('/v1/runs'))).toMatchObject({ status: 401, code: 'missing_key' })
    for (const path of ['/health', '/openapi.json', '/docs']) expect((await get(path)).status).toBe(200)
  })

  test('knows who can read its folder by the word in it, which only this user can read', async () => {
    const { folder, word, runsOf, post } = await open({ auth: 'keys' })
    const file = await readServiceFile(folder)
    expect(file?.word).toBe(word)
    expect((await stat(join(folder, 'service.json'))).mode & 0o077).toBe(0)
    const made = await post('/v1/keys', { name: 'first', scopes: ['admin'] }, bearer(word))
    const { key } = (await made.json()) as CreatedKey
    expect(await runsOf(bearer(key))).toEqual([])
  })

  test('has a new word with every start', async () => {
    const first = await open({ auth: 'keys' })
    await first.close()
    const second = await open({ auth: 'keys', folder: first.folder })
    expect(second.word).not.toBe(first.word)
    expect((await second.get('/v1/runs', bearer(first.word))).status).toBe(401)
  })
})

test('a service that others can reach asks for keys, and cannot be made not to', async () => {
  const folder = await temporaryFolder()
  const refused = openService({ folder, port: 0, host: '0.0.0.0', auth: 'none', log: () => undefined })
  await expect(refused).rejects.toMatchObject({ code: 'invalid_request', param: 'auth' })
  const { auth, address } = await open({ folder, host: '0.0.0.0' })
  expect(auth).toBe('keys')
  const { port } = new URL(address)
  expect((await fetch(`http://127.0.0.1:${port}/v1/runs`)).status).toBe(401)
})
