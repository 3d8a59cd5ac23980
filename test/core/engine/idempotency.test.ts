import { afterEach, expect, test, vi } from 'vitest'
import { idempotencyDays } from '../../../shared/core/contracts/idempotency.ts'
import { openTestDatasets } from '../../data/datasets/open-test-datasets.ts'
import { request, StoredRuns, solved } from '../../data/datasets/stored-runs.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const day = 24 * 3600 * 1000

afterEach(() => void vi.useRealTimers())

test.each(['runs', 'datasets'] as const)(
  'idempotency keys of %s are each tenant’s own, for their days',
  async (kind) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const world = await openTestWorld()
    const { tenants } = openTestEngine({ world })
    const stored = new StoredRuns(world.objects, { 'run-1': [solved('a')] })
    const datasets = openTestDatasets(world, stored)
    const create = async (tenant: string) => {
      const key = { idempotencyKey: 'nightly' }
      const made =
        kind === 'runs'
          ? tenants.of(tenant).create(toRequest(), key)
          : datasets.of(tenant).create(request(), key)
      return (await made).id
    }

    const first = await create('acme')
    expect(await create('rival')).not.toBe(first)
    vi.setSystemTime(Date.now() + idempotencyDays * day - 60_000)
    expect(await create('acme')).toBe(first)
    vi.setSystemTime(Date.now() + 120_000)
    expect(await create('acme')).not.toBe(first)
  },
)
