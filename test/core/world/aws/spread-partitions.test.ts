import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PartitionLayout } from '../../../../shared/core/world/aws/aws-ledger.ts'
import { queryParts } from '../../../../shared/core/world/aws/query-parts.ts'
import { partsOf, spreadRun, storedPartition } from '../../../../shared/core/world/aws/spread-partitions.ts'
import { MemoryLedger } from '../../../support/memory-ledger.ts'

const partition = 'run/run-1/episodes'

test('a page of a spread partition is the page of the partition, whatever lies in which part', async () => {
  const queries = fc.record({
    sorts: fc.uniqueArray(fc.stringMatching(/^[ab][0-9a-c]{0,3}$/), { maxLength: 120 }),
    prefix: fc.constantFrom('', 'a', 'b1'),
    after: fc.option(fc.stringMatching(/^[ab][0-9a-c]{0,2}$/), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 60 }),
    reverse: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(queries, async ({ sorts, prefix, after, limit, reverse }) => {
      const [whole, spread] = [new MemoryLedger(), new MemoryLedger()]
      for (const sort of sorts) {
        const key = { partition, sort }
        await whole.update({ key, set: { sort } })
        await spread.update({ key: { ...key, partition: storedPartition(key) }, set: { sort } })
      }
      const query = { prefix, limit, reverse, ...(after !== undefined && { after }) }
      const page = await queryParts((part, asked) => spread.query(part, asked), partsOf(partition), query)
      expect(page).toEqual(await whole.query(partition, query))
    }),
    { numRuns: 300 },
  )
})

test('a thousand episodes in a row lie evenly in all parts', () => {
  const counts = new Map<string, number>()
  for (let index = 0; index < 1000; index += 1) {
    const part = storedPartition({ partition, sort: `e${String(index).padStart(6, '0')}` })
    counts.set(part, (counts.get(part) ?? 0) + 1)
  }
  expect([...counts.keys()].toSorted()).toEqual(partsOf(partition))
  expect(Math.max(...counts.values())).toBeLessThan(100)
})

test('only what all episodes of a run write to is spread, and nothing of a run of an earlier version', async () => {
  expect(spreadRun('run/run-1/ends')).toBe('run/run-1')
  for (const other of ['run/run-1', 'run/run-1/events', 'workers', 'tenant/a/runs', 'run/run-1/ends/x'])
    expect(spreadRun(other)).toBeNull()

  const looked: string[] = []
  const layout = new PartitionLayout(async (part) => {
    looked.push(part)
    return part.startsWith('run/earlier/')
  })
  const earlier = { partition: 'run/earlier/active', sort: 'e000000' }
  expect(await layout.locate(earlier)).toEqual(earlier)
  expect(await layout.parts('run/earlier/episodes')).toEqual(['run/earlier/episodes'])
  expect(await layout.parts('run/new/episodes')).toHaveLength(16)
  expect((await layout.locate({ ...earlier, partition: 'run/new/active' })).partition).toMatch(
    /^run\/new\/active\/\d\d$/,
  )
  expect(looked).toEqual(['run/earlier/episodes', 'run/new/episodes'])
})
