import { expect, test } from 'vitest'
import { addServedRoutes } from '../../local/cluster/join-route.ts'
import type { ServedJob } from '../../local/cluster/model-calls.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Scope } from '../../shared/core/contracts/key.ts'
import type { ModelFile, RegisteredModel } from '../../shared/core/contracts/registered-model.ts'
import { workerHeader } from '../../shared/core/world/joined/joined-call.ts'
import { partKey } from '../../shared/learn/registry/weight-parts.ts'
import { openTestApi } from '../functions/api/open-test-api.ts'

const file = (name: string, sha256: string): ModelFile => ({
  ...{ name, bytes: 3, sha256, parts: [{ sha256, bytes: 3 }] },
})
const modelOf = (sha256: string) =>
  ({ id: `model-${sha256}`, files: [file('w.gguf', sha256)] }) as RegisteredModel

const own: ServedJob = {
  ...{ tenant: 'a', model: modelOf('own'), base: modelOf('base') },
  settings: { slots: 4, idle_minutes: 10, start_seconds: 600 },
}

function openRoutes(principal: { tenant?: string; scopes?: Scope[] } = {}) {
  const { app } = openTestApi({
    authenticate: () => ({ tenant: 'default', scopes: ['hosts:join'], key: 'key-k1', ...principal }),
  })
  addServedRoutes(
    app,
    {
      job(life) {
        if (life === 'own') return own
        throw new EspalierError('not_found', 'None.')
      },
    },
    { get: async (key) => ({ key, size: 3, etag: 'e', content_type: null, body: Buffer.from(key) }) },
  )
  return async (path: string, name = 'joined-k1-0') => {
    const headers = { [workerHeader]: name }
    const answer = await app.request(`/v1/workers/hosts/served/${path}`, { headers })
    return [answer.status, await answer.text()] as const
  }
}

test('a machine gets the job and the weights of a start that it knows, its base included', async () => {
  const ask = openRoutes()
  expect(JSON.parse((await ask('own'))[1])).toEqual(own)
  expect(await ask('own/own')).toEqual([200, partKey('a', 'own')])
  expect(await ask('own/base')).toEqual([200, partKey('a', 'base')])
})

test('nobody gets other weights, or any without the name of a start, the scope, and a key of the service', async () => {
  expect((await openRoutes()('own/other'))[0]).toBe(404)
  expect((await openRoutes()('other/own'))[0]).toBe(404)
  expect((await openRoutes()('own/own', 'joined-k2-0'))[0]).toBe(400)
  expect((await openRoutes({ scopes: ['workers:join'] })('own/own'))[0]).toBe(403)
  expect((await openRoutes({ tenant: 'b' })('own/own'))[0]).toBe(403)
})
