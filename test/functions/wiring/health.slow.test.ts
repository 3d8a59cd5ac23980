import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openHealth } from '../../../functions/wiring/open-health.ts'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import { startProcess } from '../../core/world/local/child-process.ts'
import { openTestWorld, testFolder } from '../../core/world/local/local-test-world.ts'
import { openTestApi, readError } from '../api/open-test-api.ts'

test('health says that nothing more can be written, and the way out', async () => {
  const child = startProcess('health-process.ts', [await testFolder()], '-f 900')
  await child.ended()
  const { first, full } = JSON.parse(child.lines.join('')) as Record<string, string>
  expect(first).toBe('ok')
  expect(full).toMatch(/^storage_failed: Could not write .*(espalier\.db|bodies).*try again/)
})

test('health says that the database is damaged', async () => {
  const folder = await testFolder()
  const world = await openTestWorld(folder)
  const health = openHealth(world)
  expect(await health.probe()).toMatchObject({ status: 'ok', world: 'local' })
  // More than SQLite keeps in memory, so that it reads the damage.
  const body = new Uint8Array(60_000)
  await Promise.all(Array.from({ length: 1300 }, (_, count) => world.objects.put(`${count}`, body)))
  for (const file of ['espalier.db', 'espalier.db-wal'].map((name) => join(folder, name))) {
    const handle = await open(file, 'r+')
    await handle.write(new Uint8Array((await handle.stat()).size).fill(0xff), 0)
    await handle.close()
  }
  const damaged = openHealth(world)
  await expect(damaged.probe()).rejects.toThrow(/espalier\.db.*file is damaged: restore it/)
  expect(() => damaged.now()).toThrow(/espalier\.db.*file is damaged: restore it/)
})

test('however often it is asked, it writes once in five seconds', async () => {
  const world = await openTestWorld(await testFolder())
  const { now, probe } = openHealth(world)
  await Promise.all(Array.from({ length: 50 }, probe))
  for (let time = 0; time < 50; time += 1) now()
  expect(await world.ledger.get({ partition: 'health', sort: 'health' })).toMatchObject({ probes: 1 })
})

test('health touches no storage: it answers after the world was closed', async () => {
  const world = await openTestWorld(await testFolder())
  const health = openHealth(world)
  await world.close()
  expect(health.now()).toMatchObject({ status: 'ok' })
  await expect(health.probe()).rejects.toThrow(/closed/)
})

test('what is wrong is answered with 503 to everybody', async () => {
  const { app, services } = openTestApi({ authenticate: () => null })
  expect((await app.request('/health')).status).toBe(200)
  const fail = () => {
    throw new EspalierError('storage_failed', 'The disk is full: free some space.')
  }
  for (const [query, health] of [
    ['', { now: fail, probe: services.health.probe }],
    ['?deep=true', { now: services.health.now, probe: fail }],
  ] as const) {
    services.health = health
    expect(await readError(await app.request(`/health${query}`))).toMatchObject({
      status: 503,
      code: 'storage_failed',
      message: 'The disk is full: free some space.',
    })
  }
})
