import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Objects } from '../../../../shared/core/world/ports.ts'
import { atOnce, bytes, type ContractWorld, type OpenWorld, text, uniqueName } from './contract-world.ts'
import { describeObjectListing } from './object-listing-contract.ts'

/** What every driver's objects promise. */
export function describeObjectsContract(name: string, openWorld: OpenWorld): void {
  describe(`objects of ${name}`, () => {
    let opened: ContractWorld
    let objects: Objects
    let key: string

    beforeAll(async () => {
      opened = await openWorld()
      objects = opened.world.objects
    })
    beforeEach(() => {
      key = `${uniqueName()}/object`
    })
    afterAll(() => opened.dispose())

    test('a body comes back as it was put, with its size, etag and type', async () => {
      const put = await objects.put(key, bytes('{"a":1}'), { content_type: 'application/json' })
      const stored = await objects.get(key)
      expect(text(stored?.body)).toBe('{"a":1}')
      expect(stored).toMatchObject({ key, size: 7, content_type: 'application/json' })
      expect(put).toEqual({ written: true, etag: stored?.etag })
      expect(await objects.head(key)).toEqual({ key, size: 7, etag: stored?.etag })
    })

    test('an empty body is a body', async () => {
      await objects.put(key, new Uint8Array())
      expect((await objects.get(key))?.body).toHaveLength(0)
      expect(await objects.head(key)).toMatchObject({ size: 0 })
    })

    test('an absent key is null, and deleting it is fine', async () => {
      await objects.delete(key)
      expect(await objects.get(key)).toBeNull()
      expect(await objects.get(key, { start: 0, end: 1 })).toBeNull()
      expect(await objects.head(key)).toBeNull()
    })

    test('a deleted object is gone, and its key can be created again', async () => {
      await objects.put(key, bytes('one'))
      await objects.delete(key)
      expect(await objects.get(key)).toBeNull()
      expect(await objects.put(key, bytes('two'), { if_none_match: '*' })).toMatchObject({ written: true })
    })

    test('the last put wins, and the etag follows the body', async () => {
      const one = await objects.put(key, bytes('one'))
      const two = await objects.put(key, bytes('two'))
      const three = await objects.put(key, bytes('one'))
      expect(text((await objects.get(key))?.body)).toBe('one')
      expect(two).not.toEqual(one)
      expect(three).toEqual(one)
    })

    test('if_none_match creates, and leaves what exists as it is', async () => {
      expect(await objects.put(key, bytes('one'), { if_none_match: '*' })).toMatchObject({ written: true })
      expect(await objects.put(key, bytes('two'), { if_none_match: '*' })).toEqual({ written: false })
      expect(text((await objects.get(key))?.body)).toBe('one')
    })

    test('of fifty that create one key at once, exactly one does', async () => {
      const results = await atOnce(50, (index) =>
        objects.put(key, bytes(`writer ${index}`), { if_none_match: '*' }),
      )
      expect(results.filter(({ written }) => written)).toHaveLength(1)
      const winner = results.findIndex(({ written }) => written)
      expect(text((await objects.get(key))?.body)).toBe(`writer ${winner}`)
    })

    test('if_match replaces the body with that etag only', async () => {
      const first = await objects.put(key, bytes('one'))
      if (!first.written) throw new Error('An unconditional put must write.')
      const second = await objects.put(key, bytes('two'), { if_match: first.etag })
      expect(second).toMatchObject({ written: true })
      expect(await objects.put(key, bytes('three'), { if_match: first.etag })).toEqual({ written: false })
      expect(text((await objects.get(key))?.body)).toBe('two')
    })

    test('if_match never creates', async () => {
      const other = await objects.put(`${key}-other`, bytes('one'))
      if (!other.written) throw new Error('An unconditional put must write.')
      expect(await objects.put(key, bytes('one'), { if_match: other.etag })).toEqual({ written: false })
      expect(await objects.head(key)).toBeNull()
    })

    test('a counter that concurrent writers compare and set is exact', async () => {
      await objects.put(key, bytes('0'))
      await atOnce(4, async () => {
        for (let done = 0; done < 5; ) {
          const stored = await objects.get(key)
          if (stored === null) throw new Error('The counter is gone.')
          const next = bytes(String(Number(text(stored.body)) + 1))
          if ((await objects.put(key, next, { if_match: stored.etag })).written) done += 1
        }
      })
      expect(text((await objects.get(key))?.body)).toBe('20')
    })

    test.each([
      [{ start: 0, end: 3 }, 'abcd'],
      [{ start: 4 }, 'efghij'],
      [{ start: 9, end: 9 }, 'j'],
      [{ start: 7, end: 400 }, 'hij'],
      [{ start: -3 }, 'hij'],
      [{ start: -400 }, 'abcdefghij'],
      [{ start: 10 }, ''],
      [{ start: 40, end: 50 }, ''],
    ])('the range %o of abcdefghij is "%s"', async (range, expected) => {
      await objects.put(key, bytes('abcdefghij'))
      const stored = await objects.get(key, range)
      expect(text(stored?.body)).toBe(expected)
      expect(stored).toMatchObject({ key, size: 10 })
    })

    test('a large body comes back whole and in ranges, and obeys conditions', async () => {
      const body = Uint8Array.from({ length: 5 * 1024 * 1024 }, (_, index) => (index * 31) % 251)
      const put = await objects.put(key, body, { if_none_match: '*', content_type: 'image/png' })
      if (!put.written) throw new Error('Nothing else creates this key.')
      const stored = await objects.get(key)
      expect(Buffer.compare(stored?.body ?? new Uint8Array(), body)).toBe(0)
      expect(stored).toMatchObject({ size: body.length, etag: put.etag, content_type: 'image/png' })
      const middle = await objects.get(key, { start: 3_000_000, end: 3_000_099 })
      expect(middle?.body).toEqual(body.slice(3_000_000, 3_000_100))
      expect((await objects.get(key, { start: -7 }))?.body).toEqual(body.slice(-7))
      expect(await objects.put(key, body, { if_none_match: '*' })).toEqual({ written: false })
      expect(await objects.put(key, bytes('small now'), { if_match: put.etag })).toMatchObject({
        written: true,
      })
      expect(text((await objects.get(key))?.body)).toBe('small now')
    })

    test('large bodies that race for one key leave exactly one of them', async () => {
      const results = await atOnce(5, (index) =>
        objects.put(key, new Uint8Array(200_000).fill(index + 1), { if_none_match: '*' }),
      )
      const winner = results.findIndex(({ written }) => written)
      expect(results.filter(({ written }) => written)).toHaveLength(1)
      expect((await objects.get(key))?.body).toEqual(new Uint8Array(200_000).fill(winner + 1))
    })

    test('a reader meets the old body or the new one while writers replace it', async () => {
      const body = (index: number) => new Uint8Array(150_000 + index).fill(index)
      await objects.put(key, body(0))
      const writing = atOnce(6, (index) => objects.put(key, body(index)))
      const seen = await atOnce(12, () => objects.get(key))
      await writing
      for (const stored of seen) {
        if (stored === null) throw new Error('The object is never absent.')
        expect(Buffer.compare(stored.body, body(stored.size - 150_000))).toBe(0)
      }
    })

    test('a signed address expires when it says', async () => {
      await objects.put(key, bytes('data'))
      const before = Date.now()
      const { url, expires_at } = await objects.sign(key, { expires_in: 60, file_name: 'data.jsonl.gz' })
      expect(url).toMatch(/^(https?:\/|\/v1\/files)\//)
      expect(expires_at.getTime() - before).toBeGreaterThan(55_000)
      expect(expires_at.getTime() - before).toBeLessThan(70_000)
    })

    describeObjectListing(() => objects)
  })
}
