import { beforeAll, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../../shared/core/world/ports.ts'
import { atOnce, uniqueName } from './contract-world.ts'

/** In the order of their UTF-8 bytes, which is not that of UTF-16: the last two would change places. */
const sorts = ['a%c', 'a/1', 'a/10', 'a/2', 'a_c', 'abc', 'b', 'bé', 'z', 'ä', '日本', 'ﬁ', '😀']

/** The part of the ledger's contract that speaks of queries. */
export function describeLedgerQuery(ledgerOf: () => Ledger): void {
  describe('queries', () => {
    let partition: string
    beforeAll(async () => {
      partition = uniqueName()
      await atOnce(sorts.length, async (index) => {
        const sort = sorts.toReversed()[index] ?? ''
        await ledgerOf().update({ key: { partition, sort }, set: { sort } })
      })
      await ledgerOf().update({ key: { partition: `${partition}-other`, sort: 'a/1' }, set: { other: true } })
    })

    type Options = NonNullable<Parameters<Ledger['query']>[1]>
    async function ask(options: Options = {}): Promise<string[]> {
      return (await ledgerOf().query(partition, options)).items.map(({ sort }) => sort)
    }

    test('items of one partition come in the order of the bytes of sort', async () => {
      const { items, more } = await ledgerOf().query(partition)
      expect(items).toEqual(sorts.map((sort) => ({ sort, item: { sort } })))
      expect(more).toBe(false)
    })

    test('an unknown partition is empty', async () => {
      expect(await ledgerOf().query(uniqueName())).toEqual({ items: [], more: false })
    })

    test('a prefix is a text, not a pattern', async () => {
      expect(await ask({ prefix: 'a/' })).toEqual(['a/1', 'a/10', 'a/2'])
      expect(await ask({ prefix: 'a_' })).toEqual(['a_c'])
      expect(await ask({ prefix: 'a%' })).toEqual(['a%c'])
      expect(await ask({ prefix: 'b' })).toEqual(['b', 'bé'])
      expect(await ask({ prefix: '日' })).toEqual(['日本'])
      expect(await ask({ prefix: 'none' })).toEqual([])
    })

    test('reverse turns the order round', async () => {
      expect(await ask({ reverse: true })).toEqual(sorts.toReversed())
      expect(await ask({ reverse: true, prefix: 'a/', limit: 2 })).toEqual(['a/2', 'a/10'])
    })

    test('after begins behind a sort, present or not, in either direction', async () => {
      expect(await ask({ prefix: 'a/', after: 'a/1' })).toEqual(['a/10', 'a/2'])
      expect(await ask({ prefix: 'a/', after: 'a/11' })).toEqual(['a/2'])
      expect(await ask({ prefix: 'a/', after: 'a/2' })).toEqual([])
      expect(await ask({ prefix: 'a/', after: 'a/2', reverse: true })).toEqual(['a/10', 'a/1'])
      expect(await ask({ after: 'ﬁ' })).toEqual(['😀'])
      expect(await ask({ prefix: 'ﬁ', after: '😀' })).toEqual([])
      expect(await ask({ prefix: 'ﬁ', after: '😀', reverse: true })).toEqual(['ﬁ'])
      expect(await ask({ prefix: '😀', after: 'ﬁ', reverse: true })).toEqual([])
    })

    test.each([false, true])('pages give every item once (reverse: %s)', async (reverse) => {
      for (const limit of [1, 5, sorts.length]) {
        const seen: string[] = []
        for (let after: string | undefined, more = true; more; ) {
          const position = after === undefined ? {} : { after }
          const page = await ledgerOf().query(partition, { limit, reverse, ...position })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          seen.push(...page.items.map(({ sort }) => sort))
          after = page.items.at(-1)?.sort
          more = page.more
        }
        expect(seen).toEqual(reverse ? sorts.toReversed() : sorts)
      }
    })
  })
}
