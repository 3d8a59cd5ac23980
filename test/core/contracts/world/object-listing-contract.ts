import { describe, expect, test } from 'vitest'
import type { Objects } from '../../../../shared/core/world/ports.ts'
import { atOnce, bytes, text, uniqueName } from './contract-world.ts'

/** In the order of their UTF-8 bytes, which is not that of UTF-16: the last two would change places. */
const oddNames = [
  ' leading space',
  '%41',
  '%_',
  '100% sure',
  'A',
  'a b',
  'a%b',
  'a+b',
  "a'b",
  'a*b',
  'a/b',
  'a/b/c',
  'a_b',
  'aXb',
  'ä',
  '日本語',
  'ﬁ',
  '😀',
].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))

/** The part of the objects' contract that speaks of keys and lists. */
export function describeObjectListing(objectsOf: () => Objects): void {
  describe('keys and lists', () => {
    async function putAll(names: string[]): Promise<string> {
      const folder = `${uniqueName()}/`
      await atOnce(names.length, (index) =>
        objectsOf().put(`${folder}${names[index]}`, bytes(names[index] ?? '')),
      )
      return folder
    }

    async function namesIn(folder: string, prefix = '', after?: string): Promise<string[]> {
      const options = after === undefined ? {} : { after: folder + after }
      const { objects } = await objectsOf().list(folder + prefix, options)
      return objects.map(({ key }) => key.slice(folder.length))
    }

    test('keys with spaces, unicode, % and _ are kept apart and listed in byte order', async () => {
      const folder = await putAll(oddNames.toReversed())
      expect(await namesIn(folder)).toEqual(oddNames)
      const bodies = await atOnce(oddNames.length, async (index) =>
        text((await objectsOf().get(`${folder}${oddNames[index]}`))?.body),
      )
      expect(bodies).toEqual(oddNames)
    })

    test('a prefix is a text, not a pattern', async () => {
      const folder = await putAll(oddNames)
      expect(await namesIn(folder, 'a_')).toEqual(['a_b'])
      expect(await namesIn(folder, 'a%')).toEqual(['a%b'])
      expect(await namesIn(folder, 'a/')).toEqual(['a/b', 'a/b/c'])
      expect(await namesIn(folder, '日')).toEqual(['日本語'])
      expect(await namesIn(folder, 'none')).toEqual([])
    })

    test('an entry has size and etag', async () => {
      const folder = await putAll(['one'])
      const { objects } = await objectsOf().list(folder)
      expect(objects).toEqual([await objectsOf().head(`${folder}one`)])
    })

    test('pages of any size give every key once', async () => {
      const folder = await putAll(oddNames)
      for (const limit of [1, 4, oddNames.length]) {
        const seen: string[] = []
        for (let after: string | undefined, more = true; more; ) {
          const page = await objectsOf().list(folder, { limit, ...(after === undefined ? {} : { after }) })
          expect(page.objects.length).toBeLessThanOrEqual(limit)
          seen.push(...page.objects.map(({ key }) => key.slice(folder.length)))
          after = page.objects.at(-1)?.key
          more = page.more
        }
        expect(seen).toEqual(oddNames)
      }
    })

    test('after need not be a key, and may sort before the prefix or past its end', async () => {
      const folder = await putAll(['b1', 'b3', 'c'])
      expect(await namesIn(folder, 'b', 'b2')).toEqual(['b3'])
      expect(await namesIn(folder, 'b', 'a')).toEqual(['b1', 'b3'])
      expect(await namesIn(folder, 'b', 'c')).toEqual([])
      const far = await putAll(['ﬁ', '😀'])
      expect(await namesIn(far, 'ﬁ', '😀')).toEqual([])
      expect(await namesIn(far, '😀', 'ﬁ')).toEqual(['😀'])
    })

    test('a page that ends with the last key says that there is no more', async () => {
      const folder = await putAll(['a', 'b'])
      expect(await objectsOf().list(folder, { limit: 2 })).toMatchObject({ more: false })
      expect(await objectsOf().list(folder, { limit: 1 })).toMatchObject({ more: true })
    })
  })
}
