import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { joinLocalWorld } from '../../../../shared/core/world/local/join-local-world.ts'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import type { Queue } from '../../../../shared/core/world/ports.ts'
import { startProcess } from './child-process.ts'
import { openJoined, openTestWorld, testFolder } from './local-test-world.ts'

const silent = { onRing: () => undefined }
const key = { partition: 'p', sort: 's' }
const take = (queue: Pick<Queue, 'receive'>, max = 10) => queue.receive({ max, wait: 0, visibility: 600 })
const send = (queue: Queue, ...bodies: string[]) => queue.send(bodies.map((body) => ({ body, group: 'g' })))

async function openPair() {
  const folder = await testFolder()
  const pair = await openJoined(folder)
  onTestFinished(() => pair.close())
  return { folder, ...pair }
}

describe('a folder', () => {
  test('without a holder cannot be joined', async () => {
    const folder = await testFolder()
    const refused = { code: 'conflict', message: expect.stringContaining('cannot be joined') }
    await expect(joinLocalWorld({ folder, name: 'w', sharing: silent })).rejects.toMatchObject(refused)
    await (await openLocalWorld({ folder })).close()
    await expect(joinLocalWorld({ folder, name: 'w', sharing: silent })).rejects.toMatchObject(refused)
  })

  test('that another process than the parent holds cannot be joined', async () => {
    const folder = await testFolder()
    await openTestWorld(folder)
    const refused = { code: 'conflict', message: expect.stringContaining(`process ${process.ppid}`) }
    await expect(joinLocalWorld({ folder, name: 'w', sharing: silent })).rejects.toMatchObject(refused)
  })
})

describe('two processes over one folder', () => {
  test('see what the other has written, and lose no change of one item', async () => {
    const { holder, world } = await openPair()
    const add = (ledger: typeof world.ledger) => ledger.update({ key, add: { count: 1 } })
    await Promise.all(Array.from({ length: 300 }, (_, n) => add(n % 2 === 0 ? holder.ledger : world.ledger)))
    expect(await holder.ledger.get(key)).toEqual({ count: 300 })
    await world.objects.put('large', new Uint8Array(100_000).fill(7))
    expect((await holder.objects.get('large'))?.size).toBe(100_000)
  })

  test('wake each other when a message comes', async () => {
    const { holder, world } = await openPair()
    const waiting = world.queues.alone.receive({ max: 1, wait: 20, visibility: 1 })
    await send(holder.queues.alone, 'there')
    expect(await waiting).toMatchObject([{ body: 'there' }])
  })

  test('find messages whose ring was lost', async () => {
    const folder = await testFolder()
    const holder = await openLocalWorld({ folder, sharing: silent })
    const world = await joinLocalWorld({ folder, name: 'w', sharing: silent, holder: process.pid })
    const waiting = world.queues.episodes.receive({ max: 1, wait: 20, visibility: 1 })
    await send(holder.queues.episodes, 'there')
    expect(await waiting).toMatchObject([{ body: 'there' }])
    await world.close()
    await holder.close()
  })
})

describe('the messages that a dead process held', () => {
  test('come back at once, and do not count as taken', async () => {
    const { holder, world } = await openPair()
    await send(holder.queues.episodes, 'one', 'two')
    expect(await take(world.queues.episodes, 1)).toMatchObject([{ body: 'one', receives: 1 }])
    expect(await take(holder.queues.episodes)).toMatchObject([{ body: 'two' }])
    await holder.giveBack('joined')
    expect(await take(holder.queues.episodes)).toMatchObject([{ body: 'one', receives: 1 }])
  })

  test('never come among the dead letters, however often it dies', async () => {
    const { holder, world } = await openPair()
    await send(holder.queues.episodes, 'deadly')
    for (let death = 1; death <= 20; death += 1) {
      expect(await take(world.queues.episodes)).toMatchObject([{ body: 'deadly', receives: 1 }])
      await holder.giveBack('joined')
    }
  })

  test('count as taken where they ask for a dataset, whose builds have no other count', async () => {
    const { holder, world } = await openPair()
    await send(holder.queues.datasets, 'build')
    for (let death = 1; death <= 5; death += 1) {
      expect(await take(world.queues.datasets)).toMatchObject([{ receives: death }])
      await holder.giveBack('joined')
    }
    expect(await take(world.queues.datasets)).toEqual([])
    expect(await take(holder.queues.datasets.dead_letters)).toMatchObject([{ body: 'build' }])
  })

  test('are not those that it had put back for later', async () => {
    const { holder, world } = await openPair()
    await send(holder.queues.episodes, 'failed')
    const [message] = await take(world.queues.episodes)
    await world.queues.episodes.extend(message?.receipt ?? '', 300)
    await holder.giveBack('joined')
    expect(await take(holder.queues.episodes)).toEqual([])
  })
})

describe('a database that another process writes to', () => {
  test('is waited for without keeping the event loop, and written in the order of the calls', async () => {
    const { folder, world, holder } = await openPair()
    const other = new DatabaseSync(join(folder, 'espalier.db'))
    other.exec('begin immediate')
    const done: number[] = []
    const writing = [1, 2, 3].map((number) =>
      world.ledger.update({ key, set: { number } }).then(() => done.push(number)),
    )
    for (let turn = 0; turn < 20; turn += 1) {
      await world.clock.sleep(5)
      expect(await holder.ledger.get(key)).toBeNull()
    }
    expect(done).toEqual([])
    other.exec('commit')
    other.close()
    await Promise.all(writing)
    expect(done).toEqual([1, 2, 3])
    expect(await holder.ledger.get(key)).toEqual({ number: 3 })
  })

  test('gets what was under way when the world closes', async () => {
    const { folder, world, holder } = await openPair()
    const other = new DatabaseSync(join(folder, 'espalier.db'))
    other.exec('begin immediate')
    const writing = world.ledger.update({ key, set: { a: 1 } })
    const closing = world.close()
    await world.clock.sleep(20)
    other.exec('rollback')
    other.close()
    await Promise.all([writing, closing])
    expect(await holder.ledger.get(key)).toEqual({ a: 1 })
  })
})

test('a process that is killed while it writes leaves the others what was confirmed as stored, and its message', async () => {
  const folder = await testFolder()
  const holder = await openLocalWorld({ folder, sharing: silent })
  onTestFinished(() => holder.close())
  await send(holder.queues.episodes, 'first')
  const first = startProcess('joined-writer-process.ts', [folder, 'first'])
  await first.printed(1)
  await send(holder.queues.episodes, 'second')
  const second = startProcess('joined-writer-process.ts', [folder, 'second'])
  await second.printed(1)
  const seen = first.lines.length
  await first.printed(seen + 50)
  await first.kill()
  const { count } = (await holder.ledger.get({ partition: 'p', sort: 'first' })) ?? {}
  expect(Number(count)).toBeGreaterThanOrEqual(Number(first.lines.at(-1)))
  expect(Number(count)).toBeLessThanOrEqual(Number(first.lines.at(-1)) + 1)
  await second.printed(second.lines.length + 50)
  await holder.giveBack('first')
  expect(await take(holder.queues.episodes)).toMatchObject([{ body: 'first', receives: 1 }])
})

test('a folder from before messages had holders opens, and its messages in flight count as taken', async () => {
  const folder = await testFolder()
  const before = await openLocalWorld({ folder })
  await send(before.queues.episodes, 'old')
  await take(before.queues.episodes)
  await before.close()
  const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
  sqlite.exec('alter table messages drop column holder')
  sqlite.close()
  const { queues } = await openTestWorld(folder)
  expect(await take(queues.episodes)).toMatchObject([{ body: 'old', receives: 2 }])
})
