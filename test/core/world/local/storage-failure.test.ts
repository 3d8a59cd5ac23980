import { describe, expect, test } from 'vitest'
import { startProcess } from './child-process.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

describe('writes that arrive together', () => {
  test('do not share the failure of one of them', async () => {
    const { ledger, objects } = await openTestWorld(await testFolder())
    const key = (sort: number) => ({ partition: 'p', sort: `${sort}` })
    await ledger.update({ key: key(5), set: { n: 'text' } })
    const results = await Promise.allSettled([
      ...Array.from({ length: 10 }, (_, sort) => ledger.update({ key: key(sort), add: { n: 1 } })),
      objects.put('object', new Uint8Array(1)),
    ])
    expect(results.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []))).toEqual([5])
    const { items } = await ledger.query('p')
    expect(items.map(({ item }) => item.n)).toEqual([1, 1, 1, 1, 1, 'text', 1, 1, 1, 1])
    expect(await objects.head('object')).toMatchObject({ size: 1 })
  })

  test('are refused alone when they are too large for any world', async () => {
    const { ledger, queues, objects } = await openTestWorld(await testFolder())
    const huge = 'x'.repeat(2_000_000)
    const refused = { code: 'body_too_large' }
    const key = { partition: 'p', sort: 's' }
    await expect(ledger.update({ key, set: { huge } })).rejects.toMatchObject(refused)
    await expect(queues.alone.send([{ body: huge, group: 'g' }])).rejects.toMatchObject(refused)
    const odd = { code: 'invalid_request' }
    await expect(objects.put('', new Uint8Array(1))).rejects.toMatchObject(odd)
    await expect(objects.put('ä'.repeat(513), new Uint8Array(1))).rejects.toMatchObject(odd)
    await expect(objects.put('\ud800', new Uint8Array(1))).rejects.toMatchObject(odd)
    expect(await ledger.get(key)).toBeNull()
  })
})

describe('a disk that is full', () => {
  test('fails every caller with the reason, and keeps what it said it has', async () => {
    const folder = await testFolder()
    const writer = startProcess('full-disk-process.ts', [folder], '-f 600')
    await writer.ended()
    const report = JSON.parse(writer.lines.join('')) as Record<string, string[]>
    expect(report.stored?.length).toBeGreaterThan(0)
    expect(report.failures?.length).toBeGreaterThan(1)
    for (const failure of report.failures ?? []) {
      expect(failure).toMatch(/^storage_failed: Could not write.*(espalier\.db|bodies).*try again/)
    }
    const { objects } = await openTestWorld(folder)
    const { objects: kept } = await objects.list('')
    expect(kept.map(({ key }) => key).toSorted()).toEqual(report.stored?.toSorted())
  })
})
