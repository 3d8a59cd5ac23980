import { expect, test } from 'vitest'
import { PartCache } from '../../../shared/core/engine/memories/part-cache.ts'

/** A cache of 100 bytes over parts of 40, with the names of those it read. */
function counted() {
  const cache = new PartCache(100)
  const read: string[] = []
  const get = (name: string, size = 40) =>
    cache.get(name, size, async () => {
      read.push(name)
      return [name]
    })
  return { cache, read, get }
}

test('what was asked for last is kept, within the bound', async () => {
  const { get, read } = counted()
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) expect(await get(name)).toEqual([name])
  expect(read).toEqual(['a', 'b', 'c', 'b'])
})

test('a part larger than the bound is read each time, and displaces nothing', async () => {
  const { get, read } = counted()
  for (const name of ['a', 'large', 'large', 'a']) await get(name, name === 'large' ? 500 : 40)
  expect(read).toEqual(['a', 'large', 'large'])
})

test('a failure is not kept', async () => {
  const { cache, get } = counted()
  await expect(cache.get('a', 40, () => Promise.reject(new Error('lost')))).rejects.toThrow('lost')
  expect(await get('a')).toEqual(['a'])
})
