import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openLocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import { readServiceFile } from '../../../../shared/core/world/local/service-file.ts'
import { startProcess } from './child-process.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'
import { bodyOf } from './written-bodies.ts'

describe('a process that is killed while it writes', () => {
  test.each([30, 200, 500])('loses nothing that was confirmed, after %i writes', async (writes) => {
    const folder = await testFolder()
    const writer = startProcess('writer-process.ts', [folder])
    await writer.printed(writes)
    await writer.kill()
    const { objects, ledger, queues } = await openTestWorld(folder)

    const told = (what: string) =>
      writer.lines.flatMap((line) => (line.startsWith(`${what} `) ? [Number(line.split(' ')[1])] : []))
    for (const number of told('body')) {
      const stored = await objects.get(`body/${number}`)
      expect(Buffer.compare(stored?.body ?? new Uint8Array(), bodyOf(number))).toBe(0)
    }
    const { items } = await ledger.query('p', { prefix: 'item ' })
    expect(items.map(({ item }) => item.number)).toEqual(expect.arrayContaining(told('item')))
    const messages = await queues.episodes.receive({ max: 10_000, wait: 0, visibility: 60 })
    expect(messages.map(({ body }) => body)).toEqual(expect.arrayContaining(told('message')))
  })

  test('leaves nothing torn', async () => {
    const folder = await testFolder()
    const writer = startProcess('writer-process.ts', [folder])
    await writer.printed(300)
    await writer.kill()
    const { objects, ledger } = await openTestWorld(folder)

    const listed = await objects.list('')
    expect(listed.objects.length).toBeGreaterThan(20)
    for (const { key, etag } of listed.objects) {
      const stored = await objects.get(key)
      expect(
        createHash('sha256')
          .update(stored?.body ?? '')
          .digest('hex'),
      ).toBe(etag)
    }
    const large = listed.objects.filter(({ size }) => size >= 200_000)
    expect(await readdir(join(folder, 'bodies'))).toHaveLength(large.length)
    const { items } = await ledger.query('p', { prefix: 'item ' })
    expect(await ledger.get({ partition: 'p', sort: 'counter' })).toEqual({ count: items.length })
  })
})

describe('a folder that another process holds', () => {
  test('is refused with its number and address, and taken over once it is killed', async () => {
    const folder = await testFolder()
    const holder = startProcess('holder-process.ts', [folder, 'http://127.0.0.1:4567'])
    await holder.printed(1)
    await expect(openLocalWorld({ folder })).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(`${folder}.* process ${holder.pid},.* http://127.0.0.1:4567`),
    })
    expect(await readServiceFile(folder)).toMatchObject({ pid: holder.pid, address: 'http://127.0.0.1:4567' })

    await holder.kill()
    expect(await readServiceFile(folder)).toBeNull()
    const world = await openTestWorld(folder)
    expect(await world.queues.episodes.receive({ max: 1, wait: 0, visibility: 60 })).toMatchObject([
      { body: 'in flight', receives: 1 },
    ])
  })
})
