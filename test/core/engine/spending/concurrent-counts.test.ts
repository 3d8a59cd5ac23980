import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { foldSpending } from '../../../../shared/core/engine/spending/fold-spending.ts'
import { giveBack } from '../../../../shared/core/engine/spending/give-back.ts'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import { beforeChanges } from '../../../support/before-changes.ts'
import { shareWorld } from '../../../support/open-test-world.ts'

const shared = shareWorld()

const counts = { spent_cost: 5, input_tokens: 3, output_tokens: 2, model_calls: 1 }
const leases = { leased_cost: 9, leased_tokens: 9, tenant_leased_cost: 9, tenant_leased_tokens: 9 }
const none = (of: Record<string, number>) => Object.fromEntries(Object.keys(of).map((name) => [name, 0]))
/** What a worker's item may hold: nothing counted or leased yet, all of it returned, or some of both. */
const items = fc
  .record({
    counted: fc.constantFrom({}, none(counts), counts),
    leased: fc.constantFrom({}, none(leases), leases),
  })
  .map(({ counted, leased }) => ({ ...counted, ...leased }))

let trials = 0

/** Lets a worker presumed dead count a call right before the first change that is made for it. */
async function countedDuring(
  item: Record<string, number>,
  change: (world: typeof shared.world, run: string) => Promise<void>,
) {
  trials += 1
  const run = `run-${trials}`
  const { ledger } = shared.world
  const key = ledgerKeys.spending(run, 'slow')
  await ledger.update({ key, set: { lost_calls: 0, ...item } })
  let hasCounted = false
  const interrupted = beforeChanges(shared.world, async () => {
    if (hasCounted) return
    hasCounted = true
    await ledger.update({ key, add: counts })
  })
  await change(interrupted, run)
  if (!hasCounted) await ledger.update({ key, add: counts })
  return readSpending(ledger, run)
}

test('a call that is counted while its worker is folded is not lost, whatever the worker has counted or leased', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (item) => {
      const total = await countedDuring(item, (world, run) => foldSpending(world, run, 'slow'))
      const { model_calls = 0, spent_cost = 0 } = item as Partial<typeof counts>
      expect(total).toMatchObject({ model_calls: model_calls + 1, spent_cost: spent_cost + 5 })
    }),
    { numRuns: 30 },
  )
})

test('a call that is counted while its worker’s leases are returned stays covered by them', async () => {
  await fc.assert(
    fc.asyncProperty(items, async (item) => {
      const total = await countedDuring(item, (world, run) =>
        giveBack(world, { id: run, tenant: 'default', leased_cost: 0 }, 'slow'),
      )
      const isReturned = total.leased_cost !== ((item as Partial<typeof leases>).leased_cost ?? 0)
      if (isReturned) expect(total.leased_cost).toBe(total.spent_cost)
    }),
    { numRuns: 30 },
  )
})
