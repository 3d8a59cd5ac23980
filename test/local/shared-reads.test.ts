import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SharedReads } from '../../local/readers/read-elsewhere.ts'

test('equal reads that wait share the next answer, and none joins one that has begun', async () => {
  const reads = new SharedReads<number>()
  const begun: PromiseWithResolvers<number>[] = []
  const read = () => {
    const one = Promise.withResolvers<number>()
    begun.push(one)
    return one.promise
  }
  const [first, second, third] = [reads.ask('a', read), reads.ask('a', read), reads.ask('a', read)]
  const other = reads.ask('b', read)
  expect(begun).toHaveLength(2)
  begun[0]?.resolve(1)
  begun[1]?.resolve(7)
  expect([await first, await other]).toEqual([1, 7])
  await Promise.resolve()
  expect(begun).toHaveLength(3)
  const late = reads.ask('a', read)
  begun[2]?.resolve(2)
  expect([await second, await third]).toEqual([2, 2])
  await Promise.resolve()
  begun[3]?.resolve(3)
  expect(await late).toBe(3)
})

test('a read that fails fails those that shared it alone', async () => {
  const reads = new SharedReads<string>()
  const failing = Promise.withResolvers<string>()
  const first = reads.ask('a', () => failing.promise)
  const second = reads.ask('a', async () => 'well')
  failing.reject(new Error('damaged'))
  await expect(first).rejects.toThrow('damaged')
  expect(await second).toBe('well')
  expect(await reads.ask('a', async () => 'again')).toBe('again')
})

test('whatever the order, every answer is of a read that began after it was asked', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.constantFrom('a', 'b'), { maxLength: 20 }),
      async (s, keys) => {
        const reads = new SharedReads<number>()
        let version = 0
        const ask = async (key: string) => {
          const asked = ++version
          const found = await reads.ask(key, () => {
            const seen = version
            return s.schedule(Promise.resolve(seen))
          })
          expect(found).toBeGreaterThanOrEqual(asked)
        }
        const asked = keys.map((key) => s.schedule(Promise.resolve()).then(() => ask(key)))
        await s.waitFor(Promise.all(asked))
      },
    ),
  )
})
