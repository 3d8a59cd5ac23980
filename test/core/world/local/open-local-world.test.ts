import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import { readServiceFile } from '../../../../shared/core/world/local/service-file.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

const large = new Uint8Array(100_000).fill(9)

describe('a data folder', () => {
  test('keeps everything when it is closed and opened again', async () => {
    const folder = join(await testFolder(), 'made', 'on the way')
    const first = await openTestWorld(folder)
    await first.objects.put('small', new Uint8Array([1, 2, 3]), { content_type: 'text/plain' })
    await first.objects.put('large', large)
    await first.ledger.update({ key: { partition: 'p', sort: 's' }, add: { n: 4 } })
    await first.queues.datasets.send([{ body: 'build', group: 'g' }])
    await first.close()

    const second = await openTestWorld(folder)
    expect(await second.objects.get('small')).toMatchObject({
      body: new Uint8Array([1, 2, 3]),
      content_type: 'text/plain',
    })
    expect((await second.objects.get('large'))?.body).toEqual(large)
    expect(await second.ledger.get({ partition: 'p', sort: 's' })).toEqual({ n: 4 })
    expect(await second.queues.datasets.receive({ max: 1, wait: 0, visibility: 1 })).toMatchObject([
      { body: 'build', group: 'g', receives: 1 },
    ])
  })

  test('gives messages back at once that were in flight, and does not count that they were taken', async () => {
    const folder = await testFolder()
    const first = await openTestWorld(folder)
    await first.queues.episodes.send([
      { body: 'taken', group: 'g' },
      { body: 'delayed', group: 'g', delay: 600 },
    ])
    await first.queues.episodes.receive({ max: 1, wait: 0, visibility: 600 })
    await first.close()
    const second = await openTestWorld(folder)
    expect(await second.queues.episodes.receive({ max: 10, wait: 0, visibility: 600 })).toMatchObject([
      { body: 'taken', receives: 1 },
    ])
  })

  test('is rid of bodies that nothing refers to, once opened', async () => {
    const folder = await testFolder()
    const first = await openTestWorld(folder)
    await first.objects.put('kept', large)
    await first.close()
    const bodies = join(folder, 'bodies')
    const kept = await readdir(bodies)
    await writeFile(join(bodies, 'half.partial'), 'half')
    await writeFile(join(bodies, '00000000-0000-4000-8000-000000000000'), 'orphan')
    await openTestWorld(folder)
    expect(await readdir(bodies)).toEqual(kept)
  })

  test('keeps no body that was replaced, deleted or refused', async () => {
    const folder = await testFolder()
    const { objects } = await openTestWorld(folder)
    await objects.put('replaced', large)
    await objects.put('replaced', large.slice(1))
    await objects.put('shrunk', large)
    await objects.put('shrunk', new Uint8Array(1))
    await objects.put('deleted', large)
    await objects.delete('deleted')
    await Promise.all([1, 2, 3].map(() => objects.put('raced', large, { if_none_match: '*' })))
    expect(await readdir(join(folder, 'bodies'))).toHaveLength(2)
  })

  test('holds its secret for its owner alone', async () => {
    const folder = await testFolder()
    await openTestWorld(folder)
    expect((await stat(join(folder, 'signing-secret'))).mode & 0o777).toBe(0o600)
  })

  test('is held by one world at a time', async () => {
    const folder = await testFolder()
    const world = await openTestWorld(folder)
    const refused = { code: 'conflict', message: expect.stringContaining(`process ${process.pid}`) }
    await expect(openLocalWorld({ folder })).rejects.toMatchObject(refused)
    await world.close()
    await openTestWorld(folder)
  })

  test('says where the service answers that holds it, for as long as it does', async () => {
    const folder = await testFolder()
    expect(await readServiceFile(folder)).toBeNull()
    const world = await openTestWorld(folder)
    expect(await readServiceFile(folder)).toBeNull()
    await world.announce('http://127.0.0.1:4000')
    expect(await readServiceFile(folder)).toMatchObject({
      pid: process.pid,
      address: 'http://127.0.0.1:4000',
    })
    await expect(openLocalWorld({ folder })).rejects.toThrow('http://127.0.0.1:4000')
    await world.close()
    expect(await readServiceFile(folder)).toBeNull()
  })
})

describe('a folder that cannot be used', () => {
  test('because it is a file', async () => {
    const folder = join(await testFolder(), 'file')
    await writeFile(folder, '')
    const failed = { code: 'storage_failed', message: expect.stringContaining(`${folder} is a file`) }
    await expect(openLocalWorld({ folder })).rejects.toMatchObject(failed)
  })

  test('because a part of its path is a file', async () => {
    const file = join(await testFolder(), 'file')
    await writeFile(file, '')
    const failed = { code: 'storage_failed', message: expect.stringContaining('is a file') }
    await expect(openLocalWorld({ folder: join(file, 'data') })).rejects.toMatchObject(failed)
  })

  test('because the system takes no folders there', async () => {
    const failed = { code: 'storage_failed', message: expect.stringContaining('/proc/') }
    await expect(openLocalWorld({ folder: '/proc/espalier/data' })).rejects.toMatchObject(failed)
  })

  test('because its database cannot be opened', async () => {
    const folder = await testFolder()
    await mkdir(join(folder, 'espalier.db'))
    const failed = { code: 'storage_failed', message: expect.stringContaining('espalier.db') }
    await expect(openLocalWorld({ folder })).rejects.toMatchObject(failed)
  })

  test('because its database is damaged', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'espalier.db'), 'this is not a database, '.repeat(100))
    const failed = { code: 'storage_failed', message: expect.stringContaining('damaged') }
    await expect(openLocalWorld({ folder })).rejects.toMatchObject(failed)
    await expect(openLocalWorld({ folder })).rejects.toMatchObject(failed)
  })

  test('because its secret is damaged, which is not overwritten', async () => {
    const folder = await testFolder()
    await writeFile(join(folder, 'signing-secret'), 'short')
    await expect(openLocalWorld({ folder })).rejects.toMatchObject({ code: 'storage_failed' })
    expect(await readFile(join(folder, 'signing-secret'), 'utf8')).toBe('short')
  })

  test.each([
    [999, /newer Espalier.*999.*Update/],
    [1, /older Espalier.*is 1.*another data folder/],
  ])('because a version wrote it whose storage version is %i', async (version, message) => {
    const folder = await testFolder()
    await (await openLocalWorld({ folder })).close()
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    sqlite.exec(`pragma user_version = ${version}`)
    sqlite.close()
    const failed = { code: 'storage_failed', message: expect.stringMatching(message) }
    await expect(openLocalWorld({ folder })).rejects.toMatchObject(failed)
  })
})

describe('a closed world', () => {
  test('ends the waiting of its receivers with nothing', async () => {
    const world = await openTestWorld(await testFolder())
    const waiting = world.queues.episodes.receive({ max: 1, wait: 20, visibility: 1 })
    await world.clock.sleep(20)
    await world.close()
    expect(await waiting).toEqual([])
  })

  test('has finished what was under way', async () => {
    const folder = await testFolder()
    const world = await openTestWorld(folder)
    const writing = [
      world.objects.put('large', large),
      world.objects.put('small', new Uint8Array(1)),
      world.ledger.update({ key: { partition: 'p', sort: 's' }, set: { a: 1 } }),
    ]
    await Promise.all([world.close(), world.close()])
    expect(await Promise.all(writing)).toMatchObject([{ written: true }, { written: true }, { ok: true }])
    const again = await openTestWorld(folder)
    expect(await again.objects.head('large')).toMatchObject({ size: large.length })
  })

  test('refuses every further call', async () => {
    const world = await openTestWorld(await testFolder())
    await world.close()
    const refused = { code: 'invalid_state', message: expect.stringContaining('closed') }
    const { objects, ledger, queues, hosts } = world
    const key = { partition: 'p', sort: 's' }
    for (const call of [
      () => objects.put('key', new Uint8Array(1)),
      () => objects.put('key', large),
      () => objects.get('key'),
      () => ledger.update({ key, set: {} }),
      () => ledger.query('p'),
      () => queues.alone.send([{ body: 1, group: 'g' }]),
      () => queues.alone.receive({ max: 1, wait: 0, visibility: 1 }),
      () => hosts.launch({ image: 'greeting', token: 't' }),
    ]) {
      await expect(call()).rejects.toMatchObject(refused)
    }
  })
})

describe('items with a time to live', () => {
  const key = { partition: 'a', sort: 'b' }

  test('are absent after it, to every call, and gone when the world is opened again', async () => {
    const folder = await testFolder()
    const world = await openTestWorld(folder)
    const past = Date.now() - 1
    await world.ledger.update({ key, set: { a: 1 }, expires_at: past })
    expect(await world.ledger.get(key)).toBeNull()
    expect((await world.ledger.query('a')).items).toEqual([])
    await world.close()
    const sqlite = new DatabaseSync(join(folder, 'espalier.db'))
    expect(sqlite.prepare('select count(*) as n from ledger').get()).toEqual({ n: 1 })
    sqlite.close()
    await (await openTestWorld(folder)).close()
    const later = new DatabaseSync(join(folder, 'espalier.db'))
    expect(later.prepare('select count(*) as n from ledger').get()).toEqual({ n: 0 })
    later.close()
  })

  test('can be made anew, and then have no time to live', async () => {
    const world = await openTestWorld(await testFolder())
    await world.ledger.update({ key, set: { a: 1 }, expires_at: Date.now() - 1 })
    expect(await world.ledger.update({ key, set: { b: 2 }, if: [{ is: 'absent' }] })).toEqual({
      ok: true,
      item: { b: 2 },
    })
    expect(await world.ledger.get(key)).toEqual({ b: 2 })
  })
})
