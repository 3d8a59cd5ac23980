import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type {
  Ledger,
  LedgerChange,
  LedgerCondition,
  LedgerItem,
} from '../../../../shared/core/world/ports.ts'
import { atOnce, type ContractWorld, type OpenWorld, uniqueName } from './contract-world.ts'
import { describeLedgerQuery } from './ledger-query-contract.ts'
import { describeLedgerTransactions } from './ledger-transact-contract.ts'

/** What every driver's ledger promises. */
export function describeLedgerContract(name: string, openWorld: OpenWorld): void {
  describe(`ledger of ${name}`, () => {
    let opened: ContractWorld
    let ledger: Ledger
    let partition: string

    beforeAll(async () => {
      opened = await openWorld()
      ledger = opened.world.ledger
    })
    beforeEach(() => {
      partition = uniqueName()
    })
    afterAll(() => opened.dispose())

    const key = () => ({ partition, sort: 'item' })
    const read = () => ledger.get(key())
    const change = (rest: Omit<LedgerChange, 'key'>) => ledger.update({ key: key(), ...rest })

    test('an absent item is null', async () => {
      expect(await read()).toBeNull()
    })

    test('set creates an item and keeps every kind of value', async () => {
      const item: LedgerItem = {
        text: 'ä "quoted"',
        empty: '',
        number: -0.25,
        large: 9007199254740991,
        yes: true,
        nothing: null,
        list: [1, [2], {}],
        nested: { deep: { deeper: ['x'] } },
      }
      expect(await change({ set: item })).toEqual({ ok: true, item })
      expect(await read()).toEqual(item)
    })

    test('set replaces the attributes it names and keeps the others', async () => {
      await change({ set: { a: 1, b: { x: 1, y: 2 } } })
      expect(await change({ set: { b: { x: 3 } } })).toEqual({ ok: true, item: { a: 1, b: { x: 3 } } })
    })

    test('odd names of attributes are names', async () => {
      const item = { 'a.b': 1, 'with space': 2, ü: 3, status: 4, '#name': 5, ':value': 6, '': 7 }
      await change({ set: { ...item, size: 1 }, if: [{ is: 'absent', attribute: 'a.b' }] })
      await change({
        remove: ['size'],
        add: { 'with space': 1 },
        if: [{ attribute: 'a.b', is: 'equal', value: 1 }],
      })
      expect(await read()).toEqual({ ...item, 'with space': 3 })
    })

    test('add counts from 0, up and down', async () => {
      expect(await change({ add: { n: 2 } })).toEqual({ ok: true, item: { n: 2 } })
      expect(await change({ add: { n: -5, other: 0.5 } })).toEqual({ ok: true, item: { n: -3, other: 0.5 } })
    })

    test('adding to a text fails and changes nothing', async () => {
      await change({ set: { n: 'text' } })
      await expect(change({ add: { n: 1 }, set: { other: 1 } })).rejects.toThrow()
      expect(await read()).toEqual({ n: 'text' })
    })

    test('remove takes attributes away, absent ones too', async () => {
      await change({ set: { a: 1, b: 2 } })
      expect(await change({ remove: ['a', 'absent'] })).toEqual({ ok: true, item: { b: 2 } })
    })

    test('delete removes the item, also an absent one', async () => {
      await change({ set: { a: 1 } })
      expect(await change({ delete: true })).toEqual({ ok: true, item: null })
      expect(await change({ delete: true })).toEqual({ ok: true, item: null })
      expect(await read()).toBeNull()
    })

    test('a delete with a condition that does not hold keeps the item', async () => {
      await change({ set: { a: 1 } })
      const refused = await change({ delete: true, if: [{ attribute: 'a', is: 'equal', value: 2 }] })
      expect(refused).toEqual({ ok: false, item: { a: 1 } })
      expect(await read()).toEqual({ a: 1 })
    })

    test('counters that many change at once are exact', async () => {
      const results = await atOnce(60, (index) => change({ add: { sum: index, count: 1 } }))
      expect(results.every(({ ok }) => ok)).toBe(true)
      expect(await read()).toEqual({ sum: (59 * 60) / 2, count: 60 })
    })

    test('of many that create one item exactly one does', async () => {
      const results = await atOnce(50, (index) => change({ set: { by: index }, if: [{ is: 'absent' }] }))
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await read()).toEqual({ by: results.findIndex(({ ok }) => ok) })
    })

    test('a refused change returns the item as it is', async () => {
      expect(await change({ set: { a: 1 }, if: [{ is: 'present' }] })).toEqual({ ok: false, item: null })
      await change({ set: { a: 1 } })
      expect(await change({ set: { a: 2 }, if: [{ is: 'absent' }] })).toEqual({ ok: false, item: { a: 1 } })
    })

    const item: LedgerItem = { status: 'running', count: 5, flag: false, nothing: null, list: [1] }
    test.each<[boolean, LedgerCondition]>([
      [true, { is: 'present' }],
      [false, { is: 'absent' }],
      [true, { is: 'present', attribute: 'flag' }],
      [true, { is: 'present', attribute: 'nothing' }],
      [false, { is: 'present', attribute: 'other' }],
      [true, { is: 'absent', attribute: 'other' }],
      [false, { is: 'absent', attribute: 'count' }],
      [true, { attribute: 'status', is: 'equal', value: 'running' }],
      [false, { attribute: 'status', is: 'equal', value: 'Running' }],
      [true, { attribute: 'flag', is: 'equal', value: false }],
      [false, { attribute: 'count', is: 'equal', value: '5' }],
      [false, { attribute: 'other', is: 'equal', value: 'x' }],
      [true, { attribute: 'status', is: 'one_of', values: ['queued', 'running'] }],
      [false, { attribute: 'status', is: 'one_of', values: ['queued', 'paused'] }],
      [false, { attribute: 'other', is: 'one_of', values: ['x', 0, false] }],
      [true, { attribute: 'count', is: 'at_most', value: 5 }],
      [false, { attribute: 'count', is: 'at_most', value: 4.5 }],
      [true, { attribute: 'count', is: 'at_least', value: 5 }],
      [false, { attribute: 'count', is: 'at_least', value: 5.5 }],
      [false, { attribute: 'other', is: 'at_most', value: 1 }],
      [false, { attribute: 'other', is: 'at_least', value: -1 }],
      [false, { attribute: 'status', is: 'at_least', value: 0 }],
    ])('it is %s that an item %o', async (holds, condition) => {
      await change({ set: item })
      const expected = holds ? { ...item, seen: true } : item
      expect(await change({ set: { seen: true }, if: [condition] })).toEqual({ ok: holds, item: expected })
      expect(await read()).toEqual(expected)
    })

    test.each<[boolean, LedgerCondition]>([
      [true, { is: 'absent', attribute: 'a' }],
      [false, { is: 'present', attribute: 'a' }],
      [false, { attribute: 'a', is: 'equal', value: 1 }],
      [false, { attribute: 'a', is: 'at_most', value: 1 }],
    ])('it is %s that an absent item %o', async (holds, condition) => {
      expect((await change({ set: { b: 1 }, if: [condition] })).ok).toBe(holds)
    })

    test('all conditions must hold', async () => {
      await change({ set: item })
      const both = (count: number) =>
        change({
          set: { done: true },
          if: [
            { attribute: 'status', is: 'equal', value: 'running' },
            { attribute: 'count', is: 'at_least', value: count },
          ],
        })
      expect((await both(6)).ok).toBe(false)
      expect((await both(5)).ok).toBe(true)
    })

    test('a condition looks at the item before the change', async () => {
      await change({ set: { n: 1 } })
      expect((await change({ add: { n: 1 }, if: [{ attribute: 'n', is: 'at_most', value: 1 }] })).ok).toBe(
        true,
      )
      expect((await change({ add: { n: 1 }, if: [{ attribute: 'n', is: 'at_most', value: 1 }] })).ok).toBe(
        false,
      )
    })

    test('an item with a time to live is there until then, and shows nothing of it', async () => {
      const expires_at = Date.now() + 3_600_000
      expect(await change({ set: { a: 1 }, expires_at })).toEqual({ ok: true, item: { a: 1 } })
      expect(await change({ add: { a: 1 }, if: [{ is: 'present' }] })).toEqual({ ok: true, item: { a: 2 } })
      expect(await change({ expires_at: expires_at + 1 })).toEqual({ ok: true, item: { a: 2 } })
      expect(await read()).toEqual({ a: 2 })
      await expect(change({ delete: true, expires_at })).rejects.toThrow()
    })

    test('a time to live alone makes an empty item, as setting nothing does', async () => {
      expect(await change({ expires_at: Date.now() + 3_600_000 })).toEqual({ ok: true, item: {} })
      expect(await change({ remove: ['a'], if: [{ is: 'present' }] })).toEqual({ ok: true, item: {} })
      expect(await read()).toEqual({})
    })

    test('removing from an absent item makes an empty one', async () => {
      expect(await change({ remove: ['a'] })).toEqual({ ok: true, item: {} })
      expect(await read()).toEqual({})
    })

    test('an update that only has conditions changes nothing', async () => {
      expect(await change({ if: [{ is: 'absent' }] })).toEqual({ ok: true, item: null })
      expect(await change({ if: [{ is: 'present' }] })).toEqual({ ok: false, item: null })
      expect(await read()).toBeNull()
    })

    test('names that a store may keep for itself are names', async () => {
      const item = { pk: 1, sk: 2, ttl: 3, stamp: 4, item: 5, _a: 6, partition: 7, expires_at: 8 }
      await change({ set: item, if: [{ is: 'absent' }] })
      await change({ add: { ttl: 1 }, if: [{ attribute: 'pk', is: 'equal', value: 1 }] })
      expect(await read()).toEqual({ ...item, ttl: 4 })
    })

    test('one change as a transaction is a change', async () => {
      expect(await ledger.transact([{ key: key(), add: { n: 1 } }])).toEqual({ ok: true })
      const refused = await ledger.transact([{ key: key(), set: { n: 5 }, if: [{ is: 'absent' }] }])
      expect(refused).toEqual({ ok: false, failed: 0 })
      expect(await ledger.transact([])).toEqual({ ok: true })
      expect(await read()).toEqual({ n: 1 })
    })

    test('an item that is too large is refused', async () => {
      const text = 'x'.repeat(500 * 1024)
      await expect(change({ set: { text } })).rejects.toMatchObject({ code: 'body_too_large' })
      expect(await read()).toBeNull()
    })

    test('none of no values and one of two hundred', async () => {
      await change({ set: { a: 150 } })
      const values = Array.from({ length: 200 }, (_, index) => index)
      expect((await change({ if: [{ attribute: 'a', is: 'one_of', values: [] }], set: { b: 1 } })).ok).toBe(
        false,
      )
      expect((await change({ if: [{ attribute: 'a', is: 'one_of', values }], set: { b: 1 } })).ok).toBe(true)
    })

    test('numbers keep their value, as far as JavaScript has it', async () => {
      const item = { small: 1e-7, third: 1 / 3, large: 1.5e20, negative: -123456.789 }
      await change({ set: item })
      expect(await read()).toEqual(item)
    })

    describeLedgerTransactions(() => ledger)
    describeLedgerQuery(() => ledger)
  })
}
