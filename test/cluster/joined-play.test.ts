import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { CreatedKey } from '../../shared/core/contracts/key.ts'
import type { List } from '../../shared/core/contracts/list.ts'
import type { WorkerInfo } from '../../shared/core/contracts/machine.ts'
import { objectKeys } from '../../shared/core/engine/keys.ts'
import { readJournal } from '../../shared/core/engine/read-journal.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import type { PostgresWorld } from '../../shared/core/world/postgres/open-postgres-world.ts'
import { openPostgresWorld } from '../../shared/core/world/postgres/open-postgres-world.ts'
import { childrenOf, startEspalier } from '../service/processes.ts'
import { request } from '../service/request.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { startLosingProxy } from './losing-proxy.ts'
import {
  clusterRounds,
  expectSame,
  type Played,
  playAll,
  playLocally,
  startModel,
  wantedWithHosts,
} from './play-runs.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'
import { startTlsFront } from './tls-front.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres([])
})
afterAll(() => server.remove())

test('workers and hosts that reach the service over TLS alone, killed and behind a proxy that loses answers, change nothing', {
  timeout: 900_000 * clusterRounds,
}, async () => {
  const expected = await playLocally(wantedWithHosts)

  const model = await startModel()
  const address = server.newWorld()
  const objects = await temporaryFolder()
  const words = ['--world', address, '--objects', objects, '--folder', model.folder]
  const service = await startEspalier('serve', ...words, '--port', '0', '--workers', '1')
  const { key } = await request<CreatedKey>(service, 'POST', '/v1/keys', {
    name: 'nodes',
    scopes: ['workers:join', 'hosts:join'],
  })
  const machine = await temporaryFolder()
  await writeFile(join(machine, 'endpoints.json'), model.endpoints)
  const plain = service.first.address as string
  const proxy = await startLosingProxy(Number(new URL(plain).port), seededRandom(39))
  onTestFinished(() => proxy.close())
  const front = await startTlsFront()
  const [at, lossyAt] = [await front(plain), await front(proxy.through(plain))]
  const join_ = (to = at) =>
    startEspalier('worker', '--join', to, '--token', key, '--folder', machine, '--places', '8')
  const folders = [await temporaryFolder(), await temporaryFolder()] as const
  const runHosts = (folder: string) =>
    startEspalier('worker', '--join', at, '--token', key, '--folder', folder, '--hosts', '2')
  const [first, second, third, lossy] = await Promise.all([join_(), join_(), join_(), join_(lossyAt)])
  const [host, lostHost] = await Promise.all([runHosts(folders[0]), runHosts(folders[1])])
  const { data: machines } = await request<List<WorkerInfo>>(service, 'GET', '/v1/workers')
  expect(
    machines
      .map(({ kind }) => kind)
      .filter((kind) => kind !== 'service')
      .toSorted(),
  ).toEqual([...['host', 'host'], ...['joined', 'joined', 'joined', 'joined']])
  proxy.lose(0.05)
  // The first eighth is played by joined workers: the service's own, which is nearer, stands still until then.
  const own = await childrenOf(service)
  for (const pid of own) process.kill(pid, 'SIGSTOP')
  const harm = [
    async () => {
      for (const pid of own) process.kill(pid, 'SIGCONT')
      await first.end('SIGKILL')
    },
    () => server.cutConnections(),
    () => lostHost.end('SIGKILL'),
    async () => {
      await server.stop('fast')
      await server.start()
    },
    () => second.end('SIGKILL'),
    // Last, because the runs may end before it has started.
    () => join_(),
  ]
  const played = await playAll(
    service,
    async () => {
      await harm.shift()?.()
    },
    wantedWithHosts,
  )
  expect(harm).toEqual([])
  expect(proxy.lost).toBeGreaterThan(0)
  await expectSame(service, played, expected, model.stats)

  const world = await openPostgresWorld({ address, objects, logs: await temporaryFolder() })
  onTestFinished(() => world.close())
  const writers = await writersOf(world, played)
  const joined = writers.filter((writer) => writer.startsWith('joined-'))
  console.log(`${joined.length} of ${writers.length} segments by joined workers, ${proxy.lost} answers lost`)
  expect(joined.length).toBeGreaterThan(0)
  const logs = await Promise.all(folders.map((folder) => readdir(join(folder, 'hosts')).catch(() => [])))
  expect(logs.flat()).not.toEqual([])

  for (const each of [lossy, third, host]) expect(await each.end('SIGTERM')).toBe(0)
  expect(await service.end('SIGTERM')).toBe(0)
})

async function writersOf({ objects }: PostgresWorld, played: Played[]): Promise<string[]> {
  const writers: string[] = []
  for (const { run, ends } of played)
    for (const episode of ends) {
      const { records } = await readJournal(objects, objectKeys.journal(run.id, episode, 1))
      for (const record of records) if ('segment' in record) writers.push(record.writer)
    }
  return writers
}
