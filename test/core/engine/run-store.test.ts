import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEvents } from '../../../shared/core/engine/runs/run-events.ts'
import { type RunChange, RunStore } from '../../../shared/core/engine/runs/run-store.ts'
import type { LedgerChange, World } from '../../../shared/core/world/ports.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

/** A run in a world whose transactions are recorded, and fail as long as `fault` says so. */
async function openRun() {
  const world = await openTestWorld()
  const { id: run } = await openTestEngine({ world }).runs.create(toRequest({}))
  const transactions: LedgerChange[][] = []
  let fault: (changes: LedgerChange[]) => boolean = () => false
  const watched: World = {
    ...world,
    ledger: {
      get: (key) => world.ledger.get(key),
      update: (change) => world.ledger.update(change),
      query: (partition, options) => world.ledger.query(partition, options),
      transact(changes) {
        transactions.push(changes)
        return fault(changes)
          ? Promise.reject(new Error('The disk is full.'))
          : world.ledger.transact(changes)
      },
    },
  }
  const countEvents = async () => (await readEvents(world.ledger, run, { after: 0, limit: 1000 })).length
  return {
    world: watched,
    run,
    transactions,
    store: new RunStore(watched),
    events: countEvents,
    breakWhere: (broken: typeof fault) => {
      fault = broken
    },
  }
}

/** Counts one more end, with its event and an item of its own. */
const oneMore =
  (run: string, name: string, conditions: LedgerChange['if'] = []) =>
  ({ done }: { done: number }): RunChange => ({
    set: { done: done + 1 },
    events: [{ type: 'run.status', status: 'running', reason: name }],
    others: [{ key: { partition: `test/${run}`, sort: name }, set: { name }, if: conditions }],
  })

const refused: LedgerChange['if'] = [{ attribute: 'name', is: 'equal', value: 'somebody else' }]

describe('changes of one run', () => {
  test('that are asked for while another is made are made together, each once and in order', async () => {
    const { run, store, transactions, events } = await openRun()
    const [before, had] = [await store.get(run), await events()]
    transactions.length = 0

    const rows = await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.change(run, oneMore(run, `n${index}`))),
    )

    expect(rows.map((row) => row?.done)).toEqual(rows.map((_, index) => index + 1))
    expect(rows.map((row) => row?.sequence)).toEqual(rows.map((_, index) => before.sequence + index + 1))
    expect(await store.get(run)).toEqual(rows.at(-1))
    expect(await events()).toBe(had + 200)
    expect(transactions.length).toBeLessThan(8)
    for (const changes of transactions) expect(changes.length).toBeLessThanOrEqual(100)
  })

  test('that are refused or throw take no other with them', async () => {
    const { run, store, world } = await openRun()
    const outcomes = await Promise.allSettled([
      store.change(run, oneMore(run, 'first')),
      store.change(run, oneMore(run, 'second')),
      store.change(run, oneMore(run, 'third', refused)),
      store.change(run, () => {
        throw new Error('a defect')
      }),
      store.change(run, () => null),
      store.change(run, oneMore(run, 'last')),
    ])
    const done = outcomes.map((outcome) =>
      outcome.status === 'rejected' ? String(outcome.reason) : (outcome.value?.done ?? null),
    )
    expect(done).toEqual([1, 2, null, 'Error: a defect', 2, 3])
    const items = (await world.ledger.query(`test/${run}`)).items
    expect(items.map(({ sort }) => sort).toSorted()).toEqual(['first', 'last', 'second'])
  })

  test('that name the same item follow each other', async () => {
    const { run, store } = await openRun()
    const names = ['a', 'same', 'same', 'b']
    const rows = await Promise.all(names.map((name) => store.change(run, oneMore(run, name))))
    expect(rows.map((row) => row?.done)).toEqual([1, 2, 3, 4])
  })

  test('are made one by one where the store cannot take them together, and the one that it cannot take fails alone', async () => {
    const { run, store, breakWhere } = await openRun()
    breakWhere((changes) => changes.some(({ key }) => key.sort === 'too large'))
    const outcomes = await Promise.allSettled(
      ['a', 'b', 'too large', 'c'].map((name) => store.change(run, oneMore(run, name))),
    )
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    breakWhere(() => false)
    expect((await store.get(run)).done).toBe(3)
  })

  test('of several processes are each counted once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ process: fc.nat(2), isRefused: fc.boolean() }), { maxLength: 40 }),
        async (asked) => {
          const { run, world } = await openRun()
          const stores = [new RunStore(world), new RunStore(world), new RunStore(world)]
          const rows = await Promise.all(
            asked.map(({ process, isRefused }, index) =>
              stores[process]?.change(run, oneMore(run, `n${index}`, isRefused ? refused : [])),
            ),
          )
          const made = asked.filter(({ isRefused }) => !isRefused).length
          expect(rows.filter((row) => row !== null)).toHaveLength(made)
          expect((await new RunStore(world).get(run)).done).toBe(made)
          expect((await world.ledger.query(`test/${run}`)).items).toHaveLength(made)
        },
      ),
      { numRuns: 15 },
    )
  })
})
