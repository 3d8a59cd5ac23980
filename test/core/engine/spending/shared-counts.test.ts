import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { addCounted, countCall, nothingCounted } from '../../../../shared/core/engine/spending/counted.ts'
import { SharedCounts } from '../../../../shared/core/engine/spending/shared-counts.ts'
import { beforeChanges } from '../../../support/before-changes.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const counting = fc.record({
  run: fc.constantFrom('a', 'b', 'c'),
  tokens: fc.nat(1000),
  isSwept: fc.boolean(),
})

const countOf = (input_tokens: number) =>
  countCall({ cost: 0, input_tokens, output_tokens: 0, lost: false }, { cost: 0, tokens: 0 })

test('blocks counted at once are each counted once and in few transactions, and a swept one not at all', async () => {
  const world = await openTestWorld()
  let trial = 0
  await fc.assert(
    fc.asyncProperty(fc.array(counting, { minLength: 1, maxLength: 120 }), async (asked) => {
      trial += 1
      const worker = `worker-${trial}`
      let transactions = 0
      const watched = beforeChanges(world, () => {
        transactions += 1
      })
      const counts = new SharedCounts(watched.ledger)
      const written = await Promise.all(
        asked.map(async ({ run, tokens, isSwept }, index) => {
          const key = ledgerKeys.reservation(worker, `${index}`)
          await world.ledger.update({ key, set: { cost: isSwept ? 0 : 1 } })
          const block = {
            key,
            delete: true as const,
            if: [{ attribute: 'cost', is: 'equal' as const, value: 1 }],
          }
          return counts.write(block, ledgerKeys.spending(run, worker), countOf(tokens))
        }),
      )
      expect(written).toEqual(asked.map(({ isSwept }) => !isSwept))
      const swept = asked.filter(({ isSwept }) => isSwept).length
      expect(transactions).toBeLessThanOrEqual(asked.length)
      for (const name of ['a', 'b', 'c']) {
        const own = asked.filter(({ run, isSwept }) => run === name && !isSwept)
        const expected = own.map(({ tokens }) => countOf(tokens)).reduce(addCounted, nothingCounted)
        expect(await world.ledger.get(ledgerKeys.spending(name, worker))).toEqual(
          own.length > 0 ? expected : null,
        )
      }
      const left = await world.ledger.query(`reservations/${worker}`)
      expect(left.items).toHaveLength(swept)
    }),
    { numRuns: 25 },
  )
})

test('what comes while a transaction is under way shares the next, up to the size of one', async () => {
  const world = await openTestWorld()
  const sizes: number[] = []
  const first = Promise.withResolvers<void>()
  const slow = beforeChanges(world, async (changes) => {
    sizes.push(changes.length)
    await first.promise
  })
  const counts = new SharedCounts(slow.ledger)
  const count = (index: number) =>
    counts.write(
      { key: ledgerKeys.reservation('one', `${index}`), delete: true },
      ledgerKeys.spending('run', 'one'),
      { ...nothingCounted, model_calls: 1 },
    )
  const all = Array.from({ length: 71 }, (_, index) => count(index))
  first.resolve()
  expect(await Promise.all(all)).toEqual(all.map(() => true))
  expect(sizes).toEqual([2, 51, 21])
  expect(await world.ledger.get(ledgerKeys.spending('run', 'one'))).toMatchObject({ model_calls: 71 })
})

test('the failure of a transaction is that of each of its counts, and later ones are written', async () => {
  const world = await openTestWorld()
  let isAway = true
  const fragile = beforeChanges(world, () => {
    if (isAway) throw new Error('The table is away.')
  })
  const counts = new SharedCounts(fragile.ledger)
  const count = () =>
    counts.write(
      { key: ledgerKeys.reservation('one', 'x'), delete: true },
      ledgerKeys.spending('run', 'one'),
      { ...nothingCounted, model_calls: 1 },
    )
  await expect(count()).rejects.toThrow('away')
  isAway = false
  expect(await count()).toBe(true)
  expect(await world.ledger.get(ledgerKeys.spending('run', 'one'))).toMatchObject({ model_calls: 1 })
})
