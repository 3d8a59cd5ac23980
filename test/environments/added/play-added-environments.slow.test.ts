import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createHostApp } from '../../../containers/env-host/create-host-app.ts'
import { openService } from '../../../local/open-service.ts'
import type { Episode } from '../../../shared/core/contracts/episode.ts'
import type { List } from '../../../shared/core/contracts/list.ts'
import type { Run } from '../../../shared/core/contracts/run.ts'
import type { Tree } from '../../../shared/core/contracts/tree.ts'
import { definitions } from '../../../shared/environments/environments.ts'
import { addressSessions } from '../../../shared/environments/hosts/address-sessions.ts'
import { facadeHost } from '../../containers/env-host/facade-host.ts'
import { openTable } from '../../containers/env-host/open-table.ts'
import { readAllEvents } from '../../functions/api/read-events.ts'
import { serveApp } from '../../support/serve-app.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const { signal } = new AbortController()

async function openWith(environments: object) {
  const folder = await temporaryFolder()
  await writeFile(join(folder, 'environments.json'), JSON.stringify({ environments }))
  const service = await openService({ folder, log: () => undefined })
  onTestFinished(() => service.close({ grace: 1 }))
  const get = async <Answer>(path: string): Promise<Answer> => {
    const answer = await service.app.request(new URL(path, service.address))
    if (answer.status === 307) return get(answer.headers.get('Location') ?? '')
    return (await answer.json()) as Answer
  }
  async function play(request: object): Promise<Tree[]> {
    const body = JSON.stringify({ model: { endpoint: 'simulated', id: 'simulated' }, seed: 1, ...request })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await service.app.request('/v1/runs', { method: 'POST', headers, body })
    if (!answer.ok) throw new Error(await answer.text())
    const { id } = (await answer.json()) as Run
    const events = await readAllEvents(await service.app.request(`/v1/runs/${id}/events`))
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { status: 'succeeded' } })
    const { data } = await get<List<Episode>>(`/v1/runs/${id}/episodes`)
    expect(data.map(({ status }) => status)).not.toContain('errored')
    return Promise.all(data.map((episode) => get<Tree>(`/v1/runs/${id}/episodes/${episode.id}/tree`)))
  }
  return { ...service, get, play }
}

const comparable = (trees: Tree[]) =>
  trees.map(({ nodes }) =>
    nodes.map(({ parent, action, observation, reward }) => ({ parent, action, observation, reward })),
  )

test('a search on a host at an address grows the trees that it grows in the worker', async () => {
  const { table } = await openTable()
  const address = await serveApp(createHostApp(table, () => undefined))
  const { play, get } = await openWith({ far: { kind: 'host', address, environment: 'textcraft' } })
  expect(await get('/v1/environments/far')).toMatchObject({ hosting: 'host', snapshot: 'native' })
  const request = { tasks: { split: 'test', limit: 2 }, method: { id: 'mcts', iterations: 4, samples: 2 } }
  const there = await play({ environment: 'far', ...request })
  const here = await play({ environment: 'textcraft', ...request })
  expect(comparable(there)).toEqual(comparable(here))
  expect(there[0]?.nodes.length).toBeGreaterThan(4)
  await expect.poll(() => table.health().sessions).toBe(0)
})

test('an AgentGym server is played by its address', async () => {
  const { app } = await facadeHost()
  const { play } = await openWith({
    lab: {
      kind: 'agentgym',
      server: 'textcraft',
      address: `${await serveApp(app)}/agentgym/textcraft`,
      tasks: { test: [0, 2] },
    },
  })
  const trees = await play({ environment: 'lab', tasks: { split: 'test' }, method: { id: 'react' } })
  expect(trees.map(({ nodes }) => nodes.length > 1)).toEqual([true, true])
})

test("a user's module is played in the worker, and the same on a host", async () => {
  const file = join(import.meta.dirname, '../../../examples/guess-number.ts')
  const { get, play } = await openWith({ 'guess-number': { kind: 'module', file } })
  expect(await get('/v1/environments/guess-number')).toMatchObject({ hosting: 'worker' })
  const request = { tasks: { split: 'test', limit: 2 }, method: { id: 'react', max_steps: 3 } }
  const here = await play({ environment: 'guess-number', ...request })
  const there = await play({ environment: 'guess-number', hosting: 'host', ...request })
  expect(here[0]?.nodes.length).toBeGreaterThan(1)
  expect(comparable(there)).toEqual(comparable(here))
})

test('a server that is down leaves the other environments as they are, and says so where it is asked for', async () => {
  const { get } = await openWith({ far: { kind: 'host', address: 'http://127.0.0.1:1' } })
  const { data } = await get<List<{ id: string }>>('/v1/environments')
  expect(data.map(({ id }) => id)).toEqual(definitions.map(({ id }) => id))
  expect(await get('/v1/environments/far')).toMatchObject({
    error: {
      code: 'host_unreachable',
      message: expect.stringMatching(/^The server of ".+" cannot be reached/),
    },
  })
})

test('a full host is waited for, and one that is gone is said to be', async () => {
  const { table } = await openTable({ slots: 1 })
  const address = await serveApp(createHostApp(table, () => undefined))
  const sessions = addressSessions({ address, environment: 'textcraft', withSnapshots: true })
  const request = { task: 'textcraft-0042', seed: 0, holder: 'test' }
  const first = await sessions.open(request, signal)
  const second = sessions.open(request, signal)
  expect(table.health().free_slots).toBe(0)
  await first.live.close()
  const { live, result } = await second
  expect(result.observation).toBe(first.result.observation)
  await live.close()
  const gone = addressSessions({
    address: 'http://127.0.0.1:1',
    environment: 'textcraft',
    withSnapshots: true,
  })
  await expect(gone.open(request, signal)).rejects.toMatchObject({ name: 'SessionLost' })
})
