import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { episodeId } from '../../shared/core/contracts/episode.ts'
import type { WorkerMachine } from '../../shared/core/contracts/machine.ts'
import type { JoinedPorts } from '../../shared/core/engine/joining/join-gateway.ts'
import { ledgerKeys } from '../../shared/core/engine/keys.ts'
import { listWorkerInfos } from '../../shared/core/engine/placement/list-worker-infos.ts'
import type { LedgerItem } from '../../shared/core/world/ports.ts'
import { joinedWorkers, openTenants, type Tenants } from './open-tenants.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const { worker, other, stranger } = joinedWorkers

let tenants: Tenants
let ports: JoinedPorts
let run: string
beforeEach(async () => {
  tenants = await openTenants(server)
  ports = tenants.portsOf(worker)
  for (const each of [worker, other, stranger]) await tenants.announce(each)
  run = await tenants.createRun('a', 3)
})

const episode = episodeId(0)
const refused = /This worker may not/
const options = { max: 10, wait: 0, visibility: 600 }

describe('the row of a worker', () => {
  const own = ledgerKeys.worker(worker.name)
  const announced = async () => (await tenants.world.ledger.get(own)) as unknown as { machine: WorkerMachine }
  const keeps = async (set: LedgerItem) => {
    const before = await announced()
    await expect(ports.ledger.update({ key: own, set })).rejects.toThrow(refused)
    expect(await announced()).toEqual(before)
  }

  test('names the tenant of its key, and only what a joined machine may say', async () => {
    const { machine } = await announced()
    expect(await announced()).toMatchObject({ tenant: 'a' })
    await keeps({ tenant: 'b' })
    await keeps({ settled: true })
    for (const wrong of [
      { kind: 'service' },
      { kind: 'shared' },
      { labels: ['GPU'] },
      { labels: Array.from({ length: 33 }, (_, at) => `l${at}`) },
      { capacity: 0 },
      { endpoints: ['x'.repeat(129)] },
      { more: 1 },
    ])
      await keeps({ machine: { ...machine, ...wrong } })
    await keeps({ load: { playing: -1, leaving: false, episodes: [] } })
    const elsewhere = { key: ledgerKeys.worker(stranger.name), set: { machine } as unknown as LedgerItem }
    await expect(ports.ledger.update(elsewhere)).rejects.toThrow(refused)
  })

  test('shows another worker nothing but its heartbeat', async () => {
    expect(await ports.ledger.get(ledgerKeys.worker(stranger.name))).toEqual({ expires: expect.any(Number) })
    expect(await ports.ledger.get(own)).toMatchObject({ machine: { kind: 'joined' } })
  })

  test('shows the versions of workers that may play its runs, and nothing else of them', async () => {
    for (const each of [other, stranger])
      await tenants
        .portsOf(each)
        .ledger.update({ key: ledgerKeys.worker(each.name), set: { code: '1.0.0+aaa' } })
    const shown = { expires: expect.any(Number), load: { playing: 0, leaving: false, episodes: [] } }
    const { items } = await ports.ledger.query('workers')
    expect(items).toContainEqual({ sort: other.name, item: { ...shown, code: '1.0.0+aaa' } })
    expect(items).toContainEqual({ sort: worker.name, item: shown })
    expect(items.map(({ sort }) => sort)).not.toContain(stranger.name)
    await expect(ports.ledger.update({ key: own, set: { code: 'x'.repeat(129) } })).rejects.toThrow(refused)
  })

  test('gives its labels to runs of its tenant alone, and is listed for it alone', async () => {
    await tenants.announce(stranger, { labels: ['gpu'] })
    const episodes = [{ run, episode }]
    await tenants.portsOf(stranger).ledger.update({
      key: ledgerKeys.worker(stranger.name),
      set: { load: { playing: 1, leaving: false, episodes } },
    })
    const seen = await listWorkerInfos(tenants.world, 'a')
    expect(seen.map(({ id }) => id).toSorted()).toEqual([worker.name, other.name])
    const [theirs] = await listWorkerInfos(tenants.world, 'b')
    expect(theirs).toMatchObject({ id: stranger.name, labels: ['gpu'], playing: 1, episodes: [] })
  })

  test('lacks an endpoint or a method: no message of its runs comes', async () => {
    await tenants.announce(worker, { endpoints: ['another'] })
    expect(await ports.queues.episodes.receive(options)).toEqual([])
    await tenants.announce(worker)
    expect(await ports.queues.episodes.receive(options)).toHaveLength(3)
  })
})

test('a run with sessions on hosts stays with the machine of the service', async () => {
  await tenants.createRun('a', 3, { hosting: 'host' })
  const messages = await ports.queues.episodes.receive(options)
  expect(messages.map(({ group }) => group)).toEqual([run, run, run])
})

test('a worker that has announced nothing gets nothing', async () => {
  const silent = tenants.portsOf({ name: 'joined-four-1', tenant: 'a' })
  expect(await silent.queues.episodes.receive(options)).toEqual([])
})
