import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Run, RunFilter } from '../../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { findRuns } from '../../../shared/core/engine/runs/find-runs.ts'
import { endedRun } from '../../builders/runs.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

type Look = Pick<Run, 'status'> & { environment: string; name: string | undefined }

const look: fc.Arbitrary<Look> = fc.record({
  status: fc.constantFrom('running', 'succeeded'),
  environment: fc.constantFrom('textcraft', 'pddl'),
  name: fc.constantFrom('Nightly', 'a nightly one', 'other', undefined),
})

async function listed(looks: Look[]) {
  const { ledger } = await openTestWorld()
  const runs = new Map<string, Run>()
  for (const [at, { name, status, environment }] of looks.entries()) {
    const run = endedRun(`run-${String(at).padStart(5, '0')}`, { environment })
    runs.set(run.id, { ...run, status, request: { ...run.request, ...(name !== undefined && { name }) } })
  }
  const entries = [...runs.keys()].map((id) => ({ key: ledgerKeys.tenantRun('default', id), set: { id } }))
  await Promise.all(entries.map((entry) => ledger.transact([entry])))
  let read = 0
  const page = (query: RunFilter & { limit: number; after?: string | undefined }) =>
    findRuns({ ledger }, 'default', query, async (id) => {
      read += 1
      return runs.get(id) as Run
    })
  return { page, newestFirst: [...runs.values()].toReversed(), reads: () => read }
}

test('pages with filters hold every run that is so, once and newest first, whatever their size', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(look, { maxLength: 130 }),
      fc.integer({ min: 1, max: 60 }),
      fc.record(
        {
          status: fc.constant('running' as const),
          environment: fc.constant('pddl'),
          name: fc.constant('NIGHT'),
        },
        { requiredKeys: [] },
      ),
      async (looks, limit, filter) => {
        const { newestFirst, page } = await listed(looks)
        const found: string[] = []
        let after: string | undefined
        for (;;) {
          const list = await page({ limit, after, ...filter })
          expect(list.data.length).toBeLessThanOrEqual(limit)
          found.push(...list.data.map(({ id }) => id))
          if (!list.has_more) break
          expect(list.last_id).not.toBeNull()
          after = list.last_id as string
        }
        const wanted = newestFirst.filter(
          ({ status, request }) =>
            (filter.status === undefined || status === filter.status) &&
            (filter.environment === undefined || request.environment === filter.environment) &&
            (filter.name === undefined || request.name?.toLowerCase().includes('night') === true),
        )
        expect(found).toEqual(wanted.map(({ id }) => id))
      },
    ),
    { numRuns: 20 },
  )
})

test('a page looks at a thousand runs at most, and says where to go on even where it is empty', async () => {
  const common: Look = { status: 'succeeded', environment: 'textcraft', name: undefined }
  const rare: Look = { ...common, environment: 'pddl' }
  const { page, reads } = await listed([rare, ...Array.from({ length: 1500 }, () => common)])
  const first = await page({ limit: 20, environment: 'pddl' })
  expect(first).toMatchObject({ data: [], has_more: true, first_id: null, last_id: 'run-00501' })
  expect(reads()).toBe(1000)
  const second = await page({ limit: 20, environment: 'pddl', after: first.last_id as string })
  expect(second).toMatchObject({ data: [{ id: 'run-00000' }], has_more: false, last_id: 'run-00000' })
})

test('without filters a page reads no more runs than it shows', async () => {
  const { page, reads } = await listed(
    Array.from({ length: 30 }, () => ({ status: 'running', environment: 'pddl', name: undefined })),
  )
  expect((await page({ limit: 7 })).data).toHaveLength(7)
  expect(reads()).toBe(7)
})
