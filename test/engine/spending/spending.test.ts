import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RunStore } from '../../../shared/engine/runs/run-store.ts'
import { Spending } from '../../../shared/engine/spending/spending.ts'
import { readSpending } from '../../../shared/engine/spending/spending-row.ts'
import type { World } from '../../../shared/world/ports.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const model = { endpoint: 'test', id: 'test' }

/** A running run with a cap, on which nothing plays. */
async function openCappedRun(world: World, cost: number): Promise<string> {
  const engine = openTestEngine({ world })
  const { id } = await engine.runs.create(toRequest({ limits: { cost } }))
  await world.ledger.update({ key: { partition: 'runs', sort: id }, set: { status: 'running' } })
  return id
}

/** Makes calls until a cap stops them; answers how many were made. */
async function spendUntilStopped(
  spending: Spending,
  run: string,
  upper: number,
  actual: number,
): Promise<number> {
  const meter = spending.meter(run, model)
  for (let calls = 0; ; calls += 1) {
    try {
      const reservation = await meter.reserve({ cost: upper, tokens: 10 })
      await new Promise((resolve) => setImmediate(resolve))
      await reservation.settle({ input_tokens: 5, output_tokens: 1, cost: actual })
    } catch (error) {
      if (error instanceof Error && error.name === 'EpisodeStopped') return calls
      throw error
    }
  }
}

test('several workers with calls side by side never pass a cap, and stop only when the next call does not fit', async () => {
  const amounts = fc.record({
    cap: fc.integer({ min: 1, max: 60 }),
    upper: fc.integer({ min: 1, max: 8 }),
    share: fc.integer({ min: 0, max: 100 }),
    workers: fc.integer({ min: 1, max: 3 }),
    parallel: fc.integer({ min: 1, max: 4 }),
  })
  await fc.assert(
    fc.asyncProperty(amounts, async ({ cap, upper, share, workers, parallel }) => {
      const world = await openTestWorld()
      const run = await openCappedRun(world, cap / 1000)
      const actual = Math.max(1, Math.round((upper * share) / 100))
      const all = Array.from(
        { length: workers },
        (_, index) => new Spending(world, new RunStore(world), `w${index}`),
      )
      const made = await Promise.all(
        all.flatMap((spending) =>
          Array.from({ length: parallel }, () =>
            spendUntilStopped(spending, run, upper / 1000, actual / 1000),
          ),
        ),
      )
      await Promise.all(all.map((spending) => spending.leave(run)))
      const calls = made.reduce((sum, count) => sum + count, 0)
      const total = await readSpending(world.ledger, run)
      expect(total).toMatchObject({ model_calls: calls, spent_cost: calls * actual * 1e6, lost_calls: 0 })
      expect(total.spent_cost).toBeLessThanOrEqual(cap * 1e6)
      if (workers === 1) expect(total.spent_cost + upper * 1e6).toBeGreaterThan(cap * 1e6)
      const row = await world.ledger.get({ partition: 'runs', sort: run })
      expect(row).toMatchObject({ status: 'paused', leased_cost: total.spent_cost })
    }),
    { numRuns: 25 },
  )
}, 60_000)

test('a reservation whose worker died is settled once by the sweeper, and its lease returned', async () => {
  const world = await openTestWorld()
  const run = await openCappedRun(world, 1)
  const dead = new Spending(world, new RunStore(world), 'dead')
  await world.ledger.update({ key: { partition: 'workers', sort: 'dead' }, set: { expires: 0 } })
  const reservation = await dead.meter(run, model).reserve({ cost: 0.01, tokens: 10 })
  const engine = openTestEngine({ world })
  await Promise.all([engine.sweep({ lostAfter: 3600 }), engine.sweep({ lostAfter: 3600 })])
  await reservation.settle({ input_tokens: 5, output_tokens: 1, cost: 0.002 })
  await dead.settled()
  expect(await readSpending(world.ledger, run)).toMatchObject({
    model_calls: 1,
    lost_calls: 1,
    spent_cost: 0.01 * 1e9,
  })
  expect(await world.ledger.get({ partition: 'runs', sort: run })).toMatchObject({ leased_cost: 0.01 * 1e9 })
})
