import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nanoPerDollar } from '../../../../shared/core/contracts/money.ts'
import { runStatusSchema } from '../../../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { countEpisodes, isFinal, type RunRow } from '../../../../shared/core/engine/runs/run-row.ts'
import { readSpending } from '../../../../shared/core/engine/spending/spending-row.ts'
import type { LocalWorld } from '../../../../shared/core/world/local/open-local-world.ts'
import type { RunTotals } from '../../../../shared/core/world/local/run-figures.ts'
import type { LedgerChange, LedgerItem } from '../../../../shared/core/world/ports.ts'
import { openTestWorld, testFolder } from './local-test-world.ts'

const tenants = ['default', 'other']
const runs = ['run-1', 'run-2', 'run-3', 'run-4']
const tenantOf = (run: string) => (run === 'run-4' ? 'other' : 'default')
const few = fc.nat(5)

const runItem = (run: string) =>
  fc.record({
    id: fc.constant(run),
    tenant: fc.constant(tenantOf(run)),
    status: fc.constantFrom(...runStatusSchema.options),
    priced: fc.boolean(),
    deleting: fc.boolean(),
    last_problem: fc.constantFrom(null, { kind: 'unreachable' }),
    total: fc.integer({ min: 30, max: 40 }),
    cursor: fc.integer({ min: 5, max: 10 }),
    done: fc.nat(8),
    succeeded: few,
    failed: few,
    limited: few,
    errored: few,
    cancelled: few,
  })

const spent = fc.record({
  spent_cost: fc.nat(10 ** 9),
  input_tokens: few,
  cached_tokens: few,
  output_tokens: few,
  reasoning_tokens: few,
  model_calls: few,
  lost_calls: few,
})

/** What the engine does to these items: it creates, changes, adds, folds and deletes them. */
const change = fc.constantFrom(...runs).chain((run) => {
  const spending = fc.constantFrom('worker-1', 'total-0').map((name) => ledgerKeys.spending(run, name))
  return fc.oneof(
    runItem(run).map((set): LedgerChange[] => [
      { key: ledgerKeys.run(run), set: set as unknown as LedgerItem },
      { key: ledgerKeys.tenantRun(tenantOf(run), run), set: {} },
    ]),
    fc.tuple(spending, spent).map(([key, add]): LedgerChange[] => [{ key, add }]),
    fc.tuple(spending, spent).map(([key, set]): LedgerChange[] => [{ key, set }]),
    spending.map((key): LedgerChange[] => [{ key, delete: true }]),
    fc.constant<LedgerChange[]>([{ key: ledgerKeys.run(run), delete: true }]),
    fc.constant<LedgerChange[]>([{ key: ledgerKeys.episode(run, 'ep-0000000'), add: { index: 1 } }]),
  )
})

/** The same sums, from the items themselves. */
async function recount({ ledger }: LocalWorld, tenant: string): Promise<RunTotals> {
  const found: { row: RunRow; spending: Awaited<ReturnType<typeof readSpending>> }[] = []
  for (const run of runs) {
    const row = (await ledger.get(ledgerKeys.run(run))) as RunRow | null
    if (row !== null && row.tenant === tenant && row.deleting !== true)
      found.push({ row, spending: await readSpending(ledger, run) })
  }
  const sum = (of: (one: (typeof found)[number]) => number) =>
    found.reduce((total, one) => total + of(one), 0)
  const states = ['waiting', 'active', 'succeeded', 'failed', 'limited', 'errored', 'cancelled'] as const
  return {
    runs: Object.fromEntries(
      runStatusSchema.options.map((status) => [status, sum(({ row }) => Number(row.status === status))]),
    ) as RunTotals['runs'],
    episodes: Object.fromEntries(
      states.map((state) => [state, sum(({ row }) => countEpisodes(row)[state])]),
    ) as RunTotals['episodes'],
    usage: {
      input_tokens: sum(({ spending }) => spending.input_tokens),
      cached_tokens: sum(({ spending }) => spending.cached_tokens),
      output_tokens: sum(({ spending }) => spending.output_tokens),
      reasoning_tokens: sum(({ spending }) => spending.reasoning_tokens),
      model_calls: sum(({ spending }) => spending.model_calls),
      cost: sum(({ row, spending }) => (row.priced ? spending.spent_cost : 0)) / nanoPerDollar,
    },
    lost_calls: sum(({ spending }) => spending.lost_calls),
    unpriced: sum(({ row }) => Number(!row.priced)),
    troubled: sum(({ row }) => Number(row.last_problem != null && !isFinal(row.status))),
  }
}

test('sums of runs are what a recount finds, whatever is created, changed and deleted', async () => {
  const changes = fc.array(change, { maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(changes, async (steps) => {
      const world = await openTestWorld(await testFolder())
      for (const step of steps) await world.ledger.transact(step)
      for (const tenant of tenants) expect(await world.sumRuns(tenant)).toEqual(await recount(world, tenant))
      await world.close()
    }),
    { numRuns: 25 },
  )
})

test('a folder of an earlier version is counted when it is opened', async () => {
  const changes = fc.array(change, { minLength: 20, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(changes, async (steps) => {
      const folder = await testFolder()
      const written = await openTestWorld(folder)
      for (const step of steps) await written.ledger.transact(step)
      await written.close()
      forgetFigures(folder)
      const world = await openTestWorld(folder)
      for (const tenant of tenants) expect(await world.sumRuns(tenant)).toEqual(await recount(world, tenant))
      await world.close()
    }),
    { numRuns: 10 },
  )
})

function forgetFigures(folder: string): void {
  const database = new DatabaseSync(join(folder, 'espalier.db'))
  database.exec('drop table run_figures')
  database.close()
}
