import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { hostsPath } from '../../local/cluster/host-calls.ts'
import type { CreatedKey, KeyRequest } from '../../shared/core/contracts/key.ts'
import { readFrame, writeFrame } from '../../shared/core/world/joined/frame.ts'
import { joinedPath, workerHeader } from '../../shared/core/world/joined/joined-call.ts'
import { type Started, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { spawnEspalier } from '../support/espalier-process.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
let service: Started
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

async function serve(): Promise<void> {
  const folder = await temporaryFolder()
  const words = ['--world', server.newWorld(), '--objects', await temporaryFolder(), '--folder', folder]
  service = await startEspalier('serve', ...words, '--port', '0', '--workers', '1')
}

const createKey = (scopes: KeyRequest['scopes']) =>
  request<CreatedKey>(service, 'POST', '/v1/keys', { name: 'node', scopes })

const nameFor = ({ id }: Pick<CreatedKey, 'id'>) => `joined-${id.replace(/^key-/, '')}-1`

async function ask(token: string | null, worker: string, body?: Uint8Array<ArrayBuffer>, path = joinedPath) {
  const answer = await fetch(`${service.first.address}${path}`, {
    method: 'POST',
    headers: { [workerHeader]: worker, ...(token !== null && { authorization: `Bearer ${token}` }) },
    body: body ?? writeFrame({ again: false, calls: [{ id: '1', call: { op: 'hello' } }] }, []),
  })
  return { status: answer.status, body: new Uint8Array(await answer.arrayBuffer()) }
}

test('only a key with the scope joins, under a name of its own, until it is revoked', async () => {
  await serve()
  const node = await createKey(['workers:join'])
  const reader = await createKey(['runs:read', 'runs:write'])
  const name = nameFor(node)
  const answered = await ask(node.key, name)
  expect(answered.status).toBe(200)
  expect(readFrame(answered.body).head).toMatchObject({
    answers: [{ value: { version: expect.any(String) } }],
  })

  const forged = `${node.key.slice(0, -4)}${node.key.endsWith('0000') ? '1111' : '0000'}`
  expect((await ask(forged, name)).status).toBe(401)
  expect((await ask('esp_no', name)).status).toBe(401)
  expect((await ask(reader.key, nameFor(reader))).status).toBe(403)
  expect((await ask(node.key, nameFor(reader))).status).toBe(400)
  expect((await ask(node.key, 'worker-1')).status).toBe(400)
  expect((await ask(null, name)).status).toBe(400)
  expect((await ask(node.key, name, new Uint8Array([1, 2, 3]))).status).toBe(400)
  const host = await createKey(['hosts:join'])
  const poll = (token: string, worker: string) => ask(token, worker, new Uint8Array(), hostsPath)
  expect((await poll(node.key, name)).status).toBe(403)
  expect((await poll(host.key, name)).status).toBe(400)
  expect((await poll(host.key, nameFor(host))).status).toBe(400)
  expect((await ask(host.key, nameFor(host))).status).toBe(403)
  // The key of a machine opens nothing else.
  for (const path of ['/v1/runs', '/v1/keys', '/v1/datasets']) {
    const headers = { authorization: `Bearer ${node.key}` }
    expect((await fetch(`${service.first.address}${path}`, { headers })).status, path).toBe(403)
  }

  await request(service, 'DELETE', `/v1/keys/${node.id}`)
  expect((await ask(node.key, name)).status).toBe(401)
})

test('a worker ends with the reason when its token is refused, at its start and later', async () => {
  await serve()
  const { id, key } = await createKey(['workers:join'])
  const folder = await temporaryFolder()
  const at = service.first.address as string
  const join = (...words: string[]) => spawnEspalier(['worker', '--folder', folder, ...words])
  const { child, started } = join('--join', at, '--token', key)
  const ended = once(child, 'exit')
  await started
  await request(service, 'DELETE', `/v1/keys/${id}`)
  expect((await ended)[0]).toBe(1)

  for (const words of [
    ['--join', at, '--token', key],
    ['--join', at, '--token', 'esp_no'],
    ['--join', at],
    ['--join', 'http://service.example', '--token', key],
  ]) {
    const late = join(...words)
    late.started.catch(() => undefined)
    expect((await once(late.child, 'exit'))[0], words.join(' ')).not.toBe(0)
  }
})
