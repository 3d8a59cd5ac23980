import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { atOnce, bytes, text } from '../core/contracts/world/contract-world.ts'
import { startLosingProxy } from './losing-proxy.ts'
import { type ClusterWorld, openClusterWorld } from './open-cluster-world.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

const key = { partition: 'p', sort: 'counter' }

async function openWorld(address = server.newWorld()): Promise<ClusterWorld> {
  const opened = await openClusterWorld(address)
  onTestFinished(() => opened.dispose())
  return opened
}

async function openBehindProxy(seed: number) {
  const address = server.newWorld()
  const proxy = await startLosingProxy(Number(new URL(address).port), seededRandom(seed))
  const opened = await openClusterWorld(proxy.through(address))
  onTestFinished(async () => {
    proxy.lose(0)
    await opened.dispose()
    await proxy.close()
  })
  return { proxy, ...opened }
}

describe('answers that are lost', () => {
  test('a change is made once: sums, transactions, conditions', async () => {
    const { proxy, world } = await openBehindProxy(1)
    const { ledger } = world
    await ledger.update({ key, set: { sum: 0 } })
    proxy.lose(0.15)
    const added = await atOnce(60, (index) => ledger.update({ key, add: { sum: index, count: 1 } }))
    const created = await atOnce(20, (index) =>
      ledger.transact([
        { key: { partition: 'p', sort: `made ${index}` }, set: { by: index }, if: [{ is: 'absent' }] },
        { key: { partition: 'p', sort: 'made' }, add: { items: 1 } },
      ]),
    )
    proxy.lose(0)
    expect(proxy.lost).toBeGreaterThan(0)
    expect(added.every(({ ok }) => ok)).toBe(true)
    expect(created.every(({ ok }) => ok)).toBe(true)
    expect(await ledger.get(key)).toEqual({ sum: (59 * 60) / 2, count: 60 })
    expect(await ledger.get({ partition: 'p', sort: 'made' })).toEqual({ items: 20 })
  })

  test('messages that a lost answer took come back at once, none is lost', async () => {
    const { proxy, world } = await openBehindProxy(2)
    const { episodes } = world.queues
    const sent = Array.from({ length: 40 }, (_, index) => `message ${index}`)
    await episodes.send(sent.map((body) => ({ body, group: 'run_1' })))
    proxy.lose(0.15)
    const seen: unknown[] = []
    await atOnce(3, async () => {
      for (;;) {
        const messages = await episodes.receive({ max: 5, wait: 0, visibility: 600 })
        if (messages.length === 0) return
        seen.push(...messages.map(({ body }) => body))
        for (const { receipt } of messages) await episodes.delete(receipt)
      }
    })
    proxy.lose(0)
    expect(proxy.lost).toBeGreaterThan(0)
    expect(seen.toSorted()).toEqual(sent.toSorted())
    expect(await world.countMessages()).toEqual([])
  })

  test('of writers that create one object one knows that it did, and its body stays', async () => {
    const { proxy, world } = await openBehindProxy(3)
    proxy.lose(0.2)
    for (const size of [10, 100_000]) {
      const results = await atOnce(8, (index) =>
        world.objects.put(`object ${size}`, new Uint8Array(size).fill(index + 1), { if_none_match: '*' }),
      )
      const stored = await world.objects.get(`object ${size}`)
      const winners = results.flatMap(({ written }, index) => (written ? [index + 1] : []))
      expect(winners).toHaveLength(1)
      expect(stored?.body).toEqual(new Uint8Array(size).fill(winners[0] ?? 0))
    }
  })
})

describe.each([
  ['cut connections', () => server.cutConnections()],
  [
    'a crash of the server',
    async () => {
      await server.stop('crash')
      await server.start()
    },
  ],
  [
    'a restart of the server',
    async () => {
      await server.stop('fast')
      await server.start()
    },
  ],
])('%s', (_, disturb) => {
  test('lose no change and make none twice, from two machines', async () => {
    const opened = await openWorld()
    const worlds = [opened.world, await opened.join()]
    let isOver = false
    const disturbing = (async () => {
      for (let times = 0; times < 3 && !isOver; times += 1) await disturb()
    })()
    const working = atOnce(8, async (worker) => {
      const { ledger, objects, queues } = worlds[worker % 2] ?? opened.world
      for (let step = 0; step < 12; step += 1) {
        const moved = await ledger.transact([
          { key, add: { sum: worker + step, count: 1 } },
          { key: { partition: 'p', sort: `worker ${worker}` }, set: { step }, add: { steps: 1 } },
        ])
        expect(moved).toEqual({ ok: true })
        await objects.put(`steps/${worker}/${step}`, bytes(`${worker} ${step}`))
        await queues.jobs.send([{ body: { worker, step }, group: `${worker}` }])
      }
    })
    await Promise.all([working, disturbing]).finally(() => {
      isOver = true
    })
    const sum = Array.from({ length: 96 }, (_, at) => Math.floor(at / 12) + (at % 12)).reduce((a, b) => a + b)
    expect(await opened.world.ledger.get(key)).toEqual({ sum, count: 96 })
    expect((await opened.world.objects.list('steps/')).objects).toHaveLength(96)
    expect(text((await opened.world.objects.get('steps/7/11'))?.body)).toBe('7 11')
    const seen = new Set<string>()
    for (;;) {
      const messages = await opened.world.queues.jobs.receive({ max: 10, wait: 0, visibility: 30 })
      if (messages.length === 0) break
      for (const { body, receipt } of messages) {
        seen.add(JSON.stringify(body))
        await opened.world.queues.jobs.delete(receipt)
      }
    }
    expect(seen.size).toBe(96)
  })

  test('wake receivers that wait', async () => {
    const { world } = await openWorld()
    const waiting = world.queues.alone.receive({ max: 1, wait: 60, visibility: 30 })
    await disturb()
    await world.queues.alone.send([{ body: 'after', group: 'g' }])
    expect(await waiting).toMatchObject([{ body: 'after' }])
  })
})

test('two machines race as one does', async () => {
  const opened = await openWorld()
  const ledgers = [opened.world.ledger, (await opened.join()).ledger]
  const at = (index: number) => ledgers[index % 2] ?? opened.world.ledger
  const claims = await atOnce(40, (index) =>
    at(index).transact([
      { key: { partition: 'p', sort: 'claim' }, set: { by: index }, if: [{ is: 'absent' }] },
      { key, add: { claims: 1 } },
    ]),
  )
  expect(claims.filter(({ ok }) => ok)).toHaveLength(1)
  // Each looks at the other's item and writes its own: after both, one must have seen the other.
  const skew = await atOnce(2, (index) =>
    at(index).transact([
      { key: { partition: 'p', sort: `on call ${1 - index}` }, if: [{ is: 'absent' }] },
      { key: { partition: 'p', sort: `on call ${index}` }, set: { yes: true } },
    ]),
  )
  expect(skew.filter(({ ok }) => ok)).toHaveLength(1)
})

test('taking reads as many rows from a long queue as from a short one', async () => {
  const { world, address } = await openWorld()
  const schema = new URL(address).searchParams.get('schema')
  async function readsOfTake(messages: number): Promise<number> {
    await world.queues.episodes.send(
      Array.from({ length: messages }, (_, at) => ({ body: at, group: `run_${at % 10}` })),
    )
    const [row] = await server.ask(
      `set search_path = ${schema}; begin;
       select count(*) from take_messages('episodes', 'episodes/dead', 5, 2, 30, 'me');
       select seq_tup_read + idx_tup_fetch as reads from pg_stat_xact_user_tables
       where schemaname = '${schema}' and relname = 'messages'`,
    )
    return Number(row?.reads)
  }
  const short = await readsOfTake(100)
  const long = await readsOfTake(2000)
  expect(short).toBeGreaterThan(0)
  expect(long).toBeLessThan(short + 50)
})

test('time-outs of statements and of locks pass', async () => {
  const { world, address } = await openWorld()
  const schema = new URL(address).searchParams.get('schema')
  await world.ledger.update({ key, set: { n: 1 } })
  await server.ask("alter role espalier set lock_timeout = '50ms'")
  await server.cutConnections()
  const blocking = expect(
    server.ask(`begin; lock table ${schema}.ledger in access exclusive mode; select pg_sleep(600)`),
  ).rejects.toThrow(/terminat/)
  const holders = () =>
    server.ask(`select pid from pg_locks where relation = '${schema}.ledger'::regclass and granted`)
  await expect.poll(holders).toHaveLength(1)
  const changed = world.ledger.update({ key, add: { n: 1 } })
  // It waits for the lock until its time-out, and tries again.
  await expect.poll(() => server.log()).toMatch(/due to lock timeout/)
  await server.ask(
    `select pg_terminate_backend(pid) from pg_locks where granted and relation = '${schema}.ledger'::regclass`,
  )
  expect(await changed).toEqual({ ok: true, item: { n: 2 } })
  await blocking
  await server.ask('alter role espalier reset lock_timeout')
})

test('a server that refuses writes, as a standby before its promotion, is waited for', async () => {
  const { world } = await openWorld()
  await server.ask('alter role espalier set default_transaction_read_only = on')
  await server.cutConnections()
  const changed = world.ledger.update({ key, add: { n: 1 } })
  await expect
    .poll(() => server.ask("select 1 from pg_stat_activity where application_name = 'espalier'"))
    .not.toHaveLength(0)
  await server.ask('begin read write; alter role espalier reset default_transaction_read_only; commit')
  await server.cutConnections()
  expect(await changed).toEqual({ ok: true, item: { n: 1 } })
})
