import { beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../../../shared/core/world/ports.ts'
import { atOnce, uniqueName } from './contract-world.ts'

/** The part of the ledger's contract that speaks of several items at once. */
export function describeLedgerTransactions(ledgerOf: () => Ledger): void {
  describe('transactions', () => {
    let partition: string
    beforeEach(() => {
      partition = uniqueName()
    })
    const at = (sort: string) => ({ partition, sort })
    const read = (sort: string) => ledgerOf().get(at(sort))

    test('all changes are made', async () => {
      await ledgerOf().update({ key: at('old'), set: { a: 1 } })
      const done = await ledgerOf().transact([
        { key: at('new'), set: { b: 1 }, if: [{ is: 'absent' }] },
        { key: at('counter'), add: { n: 1 } },
        { key: at('old'), delete: true },
      ])
      expect(done).toEqual({ ok: true })
      expect([await read('new'), await read('counter'), await read('old')]).toEqual([
        { b: 1 },
        { n: 1 },
        null,
      ])
    })

    test('one condition that does not hold undoes all, and is named', async () => {
      await ledgerOf().update({ key: at('taken'), set: { by: 'other' } })
      const refused = await ledgerOf().transact([
        { key: at('before'), set: { b: 1 } },
        { key: at('taken'), set: { by: 'me' }, if: [{ is: 'absent' }] },
        { key: at('after'), add: { n: 1 } },
      ])
      expect(refused).toEqual({ ok: false, failed: 1 })
      expect([await read('before'), await read('taken'), await read('after')]).toEqual([
        null,
        { by: 'other' },
        null,
      ])
    })

    test('a change that only has conditions changes nothing', async () => {
      await ledgerOf().update({ key: at('run'), set: { status: 'running' } })
      const whileRunning = (sort: string) =>
        ledgerOf().transact([
          { key: at('run'), if: [{ attribute: 'status', is: 'equal', value: 'running' }] },
          { key: at(sort), set: { done: true } },
        ])
      expect(await whileRunning('one')).toEqual({ ok: true })
      await ledgerOf().update({ key: at('run'), set: { status: 'paused' } })
      expect(await whileRunning('two')).toEqual({ ok: false, failed: 0 })
      expect([await read('run'), await read('one'), await read('two')]).toEqual([
        { status: 'paused' },
        { done: true },
        null,
      ])
    })

    test('a condition on an absent item creates nothing', async () => {
      await ledgerOf().transact([
        { key: at('absent'), if: [{ is: 'absent' }] },
        { key: at('other'), set: { a: 1 } },
      ])
      expect(await read('absent')).toBeNull()
    })

    test('of many that claim one item and count it, one does both', async () => {
      const results = await atOnce(30, (index) =>
        ledgerOf().transact([
          { key: at('claim'), set: { by: index }, if: [{ is: 'absent' }] },
          { key: at('run'), add: { claims: 1 } },
        ]),
      )
      expect(results.filter(({ ok }) => ok)).toHaveLength(1)
      expect(await read('run')).toEqual({ claims: 1 })
    })

    test('money that moves between two items at once is neither made nor lost', async () => {
      await ledgerOf().update({ key: at('a'), set: { money: 10 } })
      await ledgerOf().update({ key: at('b'), set: { money: 10 } })
      const move = (from: string, to: string) =>
        ledgerOf().transact([
          { key: at(from), add: { money: -1 }, if: [{ attribute: 'money', is: 'at_least', value: 1 }] },
          { key: at(to), add: { money: 1 } },
        ])
      const moved = await atOnce(30, (index) => (index % 3 === 0 ? move('b', 'a') : move('a', 'b')))
      const gain = moved.reduce((sum, { ok }, index) => sum + (ok ? (index % 3 === 0 ? 1 : -1) : 0), 0)
      expect([await read('a'), await read('b')]).toEqual([{ money: 10 + gain }, { money: 10 - gain }])
    })

    test('a hundred items change together; more, or one item twice, are refused', async () => {
      const changes = Array.from({ length: 101 }, (_, index) => ({ key: at(`${index}`), set: { index } }))
      await expect(ledgerOf().transact(changes)).rejects.toThrow()
      expect(await read('0')).toBeNull()
      expect(await ledgerOf().transact(changes.slice(0, 100))).toEqual({ ok: true })
      expect(await read('99')).toEqual({ index: 99 })
      const twice = [
        { key: at('same'), set: { a: 1 } },
        { key: at('same'), set: { b: 1 } },
      ]
      await expect(ledgerOf().transact(twice)).rejects.toThrow()
      expect(await read('same')).toBeNull()
    })
  })
}
