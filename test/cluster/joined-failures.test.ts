import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import { atOnce, bytes, text } from '../core/contracts/world/contract-world.ts'
import { startLosingProxy } from './losing-proxy.ts'
import { openClusterWorld } from './open-cluster-world.ts'
import { joinOpenly, serveOpenly } from './open-joined-worlds.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server.remove())

async function joinBehindProxy(seed: number, restarts?: () => boolean) {
  const behind = await openClusterWorld(server.newWorld())
  const gateway = await serveOpenly(behind.world, restarts)
  const proxy = await startLosingProxy(gateway.port, seededRandom(seed))
  const joined = await joinOpenly(proxy.through(gateway.address))
  onTestFinished(async () => {
    proxy.lose(0)
    await joined.dispose()
    await proxy.close()
    await gateway.close()
    await behind.dispose()
  })
  return { proxy, world: joined.world, behind: behind.world }
}

const key = { partition: 'p', sort: 'counter' }

test('changes whose answers are lost are made once, also if the service restarts in between', async () => {
  const random = seededRandom(4)
  let restarts = 0
  const { proxy, world, behind } = await joinBehindProxy(1, () => {
    const isNow = random() < 0.5
    restarts += Number(isNow)
    return isNow
  })
  proxy.lose(0.2)
  for (let round = 0; round < 12; round += 1) {
    const added = await atOnce(5, (index) => world.ledger.update({ key, add: { sum: index, count: 1 } }))
    expect(added.every(({ ok }) => ok)).toBe(true)
    const created = await world.ledger.transact([
      { key: { partition: 'p', sort: `made ${round}` }, set: { round }, if: [{ is: 'absent' }] },
      { key: { partition: 'p', sort: 'made' }, add: { items: 1 } },
    ])
    expect(created).toEqual({ ok: true })
  }
  proxy.lose(0)
  expect(proxy.lost).toBeGreaterThan(3)
  expect(restarts).toBeGreaterThan(3)
  expect(await behind.ledger.get(key)).toEqual({ sum: 120, count: 60 })
  expect(await behind.ledger.get({ partition: 'p', sort: 'made' })).toEqual({ items: 12 })
})

test('messages whose answer is lost come with the next try, and none comes twice', async () => {
  const { proxy, world, behind } = await joinBehindProxy(2)
  const { episodes } = world.queues
  proxy.lose(0.15)
  const sent = Array.from({ length: 40 }, (_, index) => `message ${index}`)
  for (const body of sent) await episodes.send([{ body, group: 'run_1' }])
  const seen: unknown[] = []
  await atOnce(3, async () => {
    for (let none = 0; none < 2; ) {
      const messages = await episodes.receive({ max: 5, wait: 0, visibility: 600 })
      none = messages.length === 0 ? none + 1 : 0
      seen.push(...messages.map(({ body }) => body))
      for (const { receipt } of messages) await episodes.delete(receipt)
    }
  })
  proxy.lose(0)
  expect(proxy.lost).toBeGreaterThan(0)
  // A message that went back when its connection broke is taken again later.
  while ((await behind.countMessages()).length > 0)
    for (const left of await episodes.receive({ max: 10, wait: 1, visibility: 600 })) {
      seen.push(left.body)
      await episodes.delete(left.receipt)
    }
  expect(seen.toSorted()).toEqual(sent.toSorted())
})

test('a writer whose answer is lost learns that it created an object', async () => {
  const { proxy, world } = await joinBehindProxy(3)
  proxy.lose(0.25)
  for (let at = 0; at < 20; at += 1) {
    const results = await atOnce(3, (writer) =>
      world.objects.put(`object ${at}`, bytes(`${writer}`), { if_none_match: '*' }),
    )
    const winners = results.flatMap(({ written }, writer) => (written ? [String(writer)] : []))
    expect(winners).toEqual([text((await world.objects.get(`object ${at}`))?.body)])
  }
  expect(proxy.lost).toBeGreaterThan(3)
})

test('a body larger than a request comes whole, also if the service restarts between its parts', async () => {
  let requests = 0
  const { proxy, world } = await joinBehindProxy(5, () => {
    requests += 1
    return requests === 4
  })
  const body = Uint8Array.from({ length: 13_000_000 }, (_, index) => (index * 31) % 251)
  // Of the pieces in which a part travels.
  proxy.lose(0.005)
  expect((await world.objects.put('large', body, { if_none_match: '*' })).written).toBe(true)
  // One greeting, five parts and the put, and some of them once more.
  expect(requests).toBeGreaterThan(7)
  proxy.lose(0)
  expect(Buffer.compare((await world.objects.get('large'))?.body ?? new Uint8Array(), body)).toBe(0)
  expect((await world.objects.put('large', body, { if_none_match: '*' })).written).toBe(false)
})

test('messages that a worker took when its connection broke go back at once', async () => {
  const behind = await openClusterWorld(server.newWorld())
  const gateway = await serveOpenly(behind.world)
  onTestFinished(async () => {
    await gateway.close()
    await behind.dispose()
  })
  const proxy = await startLosingProxy(gateway.port, () => 1)
  const joined = await joinOpenly(proxy.through(gateway.address))
  onTestFinished(() => joined.dispose())
  const waiting = joined.world.queues.episodes.receive({ max: 1, wait: 20, visibility: 3600 })
  // The world's close ends its retries, as the machine's end does.
  const failed = expect(Promise.all([waiting, joined.world.close()])).rejects.toThrow(/does not answer/)
  await proxy.close()
  await failed
  await behind.world.queues.episodes.send([{ body: 'for another', group: 'run_1' }])
  const [message] = await behind.world.queues.episodes.receive({ max: 1, wait: 60, visibility: 60 })
  expect(message?.body).toBe('for another')
})
