import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Price } from '../../../../shared/core/contracts/endpoint-configuration.ts'
import { toNano } from '../../../../shared/core/contracts/money.ts'
import { addUsage, noUsage, type Usage } from '../../../../shared/core/contracts/usage.ts'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import { Spending } from '../../../../shared/core/engine/spending/spending.ts'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import { seededRandom } from '../../../../shared/core/random/seeded-random.ts'
import { shuffled } from '../../../../shared/core/random/shuffled.ts'
import { costOf } from '../../../../shared/play/models/prices.ts'
import { openTestEngine, toRequest } from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const price: Price = { input: 0.0375, cached_input: 0.01875, output: 0.1, request: 0.000_000_333 }

const call = fc
  .record({ input_tokens: fc.nat(200_000), cached_tokens: fc.nat(200_000), output_tokens: fc.nat(20_000) })
  .map((tokens) => ({ ...tokens, cached_tokens: Math.min(tokens.cached_tokens, tokens.input_tokens) }))

const usageOf = (tokens: Omit<Usage, 'cost' | 'model_calls'>): Usage => ({
  ...tokens,
  model_calls: 1,
  cost: costOf(price, tokens),
})

const sum = (usages: readonly Usage[]) => usages.reduce(addUsage, noUsage)

test('the same calls come to the same money to the last digit, in any order and any groups', () => {
  fc.assert(
    fc.property(fc.array(call, { maxLength: 60 }), fc.nat(), (calls, seed) => {
      const usages = calls.map(usageOf)
      const random = seededRandom(seed)
      const groups: Usage[][] = Array.from({ length: 5 }, () => [])
      for (const usage of shuffled(usages, random)) groups[Math.floor(random() * 5)]?.push(usage)
      expect(sum(groups.map(sum))).toEqual(sum(usages))
      const whole = usages.reduce((total, { cost }) => total + toNano(cost), 0)
      expect(sum(usages).cost).toBe(whole / 1e9)
    }),
  )
})

test('a call is never counted below its price, and by less than a billionth of a dollar above it', () => {
  expect(costOf({ input: 0.0375, output: 0 }, { input_tokens: 1, output_tokens: 0 })).toBe(38e-9)
  expect(costOf({ input: 0.02, output: 0 }, { input_tokens: 3, output_tokens: 0 })).toBe(60e-9)
  expect(costOf({ input: 0.15, output: 0.6 }, { input_tokens: 1000, output_tokens: 7 })).toBe(0.0001542)
})

test('the ledger comes to what the endpoint counts, however the calls are spread over workers and blocks', async () => {
  const world = await openTestWorld()
  const { runs } = openTestEngine({ world })
  const cases = fc.record({
    calls: fc.array(call, { minLength: 1, maxLength: 12 }),
    workers: fc.integer({ min: 1, max: 3 }),
    callsAtOnce: fc.integer({ min: 1, max: 4 }),
    capped: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(cases, async ({ calls, workers, callsAtOnce, capped }) => {
      const { id } = await runs.create(toRequest({ limits: capped ? { cost: 1000 } : {} }))
      await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
      const all = Array.from(
        { length: workers },
        (_, index) =>
          new Spending({ world, store: new RunStore(world), worker: `${id}-${index}`, callsAtOnce }),
      )
      const meters = all.map((spending) => spending.meter(id, { endpoint: 'test', id: 'test' }))
      const usages = calls.map(usageOf)
      await Promise.all(
        usages.map(async ({ model_calls: _, ...spent }, at) => {
          const bound = {
            tokens: 1_000_000,
            cost: costOf(price, { input_tokens: 300_000, output_tokens: 30_000 }),
          }
          const reservation = await meters[at % workers]?.reserve(bound)
          if (at % 4 === 3) await reservation?.release()
          else await reservation?.settle(spent)
        }),
      )
      await Promise.all(all.map((spending) => spending.leave(id)))
      const paid = sum(usages.filter((_, at) => at % 4 !== 3))
      expect((await readSpending(world.ledger, id)).spent_cost).toBe(toNano(paid.cost))
      expect((await runs.get(id)).usage.cost).toBe(paid.cost)
    }),
    { numRuns: 20 },
  )
})
