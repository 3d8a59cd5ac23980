import { expect, test } from 'vitest'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { ledgerKeys } from '../../../../shared/core/engine/keys.ts'
import { RunStore } from '../../../../shared/core/engine/runs/run-store.ts'
import { Spending } from '../../../../shared/core/engine/spending/spending.ts'
import { setTenantCaps } from '../../../../shared/core/engine/spending/tenant-row.ts'
import { createHashEnvironment } from '../../../support/hash-environment.ts'
import {
  openTestEngine,
  type TestEngine,
  toRequest,
  untilStatus,
  withTasks,
} from '../../../support/open-test-engine.ts'
import { openTestWorld } from '../../../support/open-test-world.ts'

const modelAt = (endpoint: string) => toRequest({ model: { endpoint, id: 'test' } }).model
const unpriced = modelAt('unpriced')
const priced = modelAt('priced')
const rollout = { group_size: 1, version: '0', credit: {} }
const refusal = { code: 'unpriced_endpoint', param: 'model.endpoint' }

/** An engine with a free model and an unpriced one, whose calls are counted; the worker is not started. */
async function openHalfPriced() {
  const world = await openTestWorld()
  const seen = { unpriced: 0, priced: 0, isFailing: false }
  const none = () => {
    throw new Error('This test has chat models only.')
  }
  const engine = openTestEngine({
    world,
    environment: withTasks(createHashEnvironment(1), 2),
    isPriced: ({ endpoint }) => endpoint === 'priced',
    models: {
      model: (endpoint) => ({
        async complete(_request, { meter }) {
          const reservation = await meter.reserve({ cost: 0, tokens: 10 })
          seen[endpoint as 'unpriced' | 'priced'] += 1
          const spent = { input_tokens: 5, output_tokens: 1, cost: 0 }
          await reservation.settle(spent)
          if (seen.isFailing) throw new Error('The model is broken.')
          return { choices: [{ content: 'Action: a1', finish_reason: 'stop' }], model_calls: 1, ...spent }
        },
      }),
      embedding: none,
      scorer: none,
    },
  })
  const cap = (cost: number | null) => setTenantCaps(world.ledger, 'default', { cap_cost: cost })
  const request = (model: typeof priced) =>
    toRequest({ model, method: { id: 'react', max_steps: 1 }, max_retries: 0 })
  return { world, engine, seen, cap, request }
}

type Opened = Awaited<ReturnType<typeof openHalfPriced>>

async function ended({ engine, request, seen }: Opened, isFailing = false): Promise<Run> {
  seen.isFailing = isFailing
  await engine.worker.start()
  const { id } = await engine.runs.create(request(unpriced))
  const run = await untilStatus(engine, id, 'succeeded', 'failed')
  seen.isFailing = false
  return run
}

const goesOn = (engine: TestEngine, id: string) => untilStatus(engine, id, 'succeeded', 'paused')

type Step = (opened: Opened, id: string) => Promise<unknown>

const ways: Record<string, { begin: (opened: Opened) => Promise<string>; step: Step }> = {
  create: {
    begin: async () => '',
    step: ({ engine, request }) => engine.runs.create(request(unpriced)),
  },
  policy: {
    begin: async ({ engine, request }) => (await engine.runs.create(request(priced), { rollout })).id,
    step: ({ engine }, id) => engine.runs.changePolicy(id, { version: '1', model: unpriced }),
  },
  resume: {
    async begin({ engine, request }) {
      const { id } = await engine.runs.create(request(unpriced))
      await engine.runs.pause(id)
      return id
    },
    step: ({ engine }, id) => engine.runs.resume(id, {}),
  },
  retry: {
    begin: async (opened) => (await ended(opened, true)).id,
    step: ({ engine }, id) => engine.runs.retry(id),
  },
  extend: {
    begin: async (opened) => (await ended(opened)).id,
    step: ({ engine }, id) => engine.runs.extend(id, { method: { max_steps: 3 } }),
  },
}

test.each(Object.keys(ways))(
  "under a tenant's limit on cost, %s starts no calls without a price, and does once the limit is lifted",
  async (way) => {
    const { begin, step } = ways[way] as (typeof ways)[string]
    const opened = await openHalfPriced()
    const { cap, engine, seen } = opened
    const id = await begin(opened)
    await cap(1e12)
    const before = seen.unpriced
    await expect(step(opened, id)).rejects.toMatchObject(refusal)
    expect(seen.unpriced).toBe(before)
    await cap(null)
    const { id: run } = (await step(opened, id)) as Run
    await engine.worker.start()
    expect((await goesOn(engine, run)).status).toBe('succeeded')
    expect(seen.unpriced).toBeGreaterThan(before)
  },
)

test('a limit set after an unpriced run began pauses it before its next call; lifted, the run goes on', async () => {
  const { cap, engine, request, seen } = await openHalfPriced()
  const { id } = await engine.runs.create(request(unpriced))
  await cap(1e12)
  await engine.worker.start()
  const paused = await goesOn(engine, id)
  expect(paused).toMatchObject({ status: 'paused', usage: { model_calls: 0 } })
  expect(paused.status_reason).toMatch(
    /^The tenant "default" has a limit on cost, and a model .* has no price/,
  )
  expect(seen.unpriced).toBe(0)
  await cap(null)
  await engine.runs.resume(id, {})
  expect(await goesOn(engine, id)).toMatchObject({ status: 'succeeded', episodes: { errored: 0 } })
})

test('a policy without a price that was chosen before the limit makes no call under it', async () => {
  const { cap, engine, request, seen } = await openHalfPriced()
  const { id } = await engine.runs.create(request(priced), { rollout })
  await engine.runs.changePolicy(id, { version: '1', model: unpriced })
  await cap(1e12)
  await engine.worker.start()
  expect((await goesOn(engine, id)).status).toBe('paused')
  expect(seen.unpriced).toBe(0)
})

test('calls that were reserved together before the limit are given up once it is noticed', async () => {
  const { cap, engine, request, world } = await openHalfPriced()
  const { id } = await engine.runs.create(request(unpriced))
  await world.ledger.update({ key: ledgerKeys.run(id), set: { status: 'running' } })
  const store = new RunStore(world)
  const spending = new Spending({ world, store, worker: 'one', callsAtOnce: 16 })
  const reserve = () => spending.meter(id, unpriced).reserve({ cost: 0, tokens: 10 })
  await (await reserve()).settle({ input_tokens: 5, output_tokens: 1, cost: 0 })
  await cap(1e12)
  await spending.update(await store.get(id))
  await expect(reserve()).rejects.toMatchObject({ name: 'EpisodeStoppedError', reason: 'paused' })
  expect((await engine.runs.get(id)).status).toBe('paused')
})

test('a model with a price of nothing is played under a limit on cost', async () => {
  const { cap, engine, request, seen } = await openHalfPriced()
  await cap(1e12)
  const { id } = await engine.runs.create(request(priced))
  await engine.worker.start()
  expect((await goesOn(engine, id)).status).toBe('succeeded')
  expect(seen.priced).toBeGreaterThan(0)
})
