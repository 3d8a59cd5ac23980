import { expect, test } from 'vitest'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { remainsPartition } from '../../../shared/core/engine/remains.ts'
import { readTenant, setTenantCaps } from '../../../shared/core/engine/spending/tenant-row.ts'
import type { World } from '../../../shared/core/world/ports.ts'
import { createHashEnvironment } from '../../support/hash-environment.ts'
import { createHashModel } from '../../support/hash-model.ts'
import { openTestEngine, toRequest, untilStatus, withTasks } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const nano = 1e9
const priceOfCall = 0.0005

/** A long search, under a tenant's cap or not, and the number of its calls so far. */
async function playLong(world: World, { isCapped = true } = {}) {
  let calls = 0
  const model = createHashModel({
    delay: 60,
    onCall: () => {
      calls += 1
    },
  })
  const environment = withTasks(createHashEnvironment(1, { depth: 40, disasters: 0 }), 4)
  const engine = openTestEngine({ world, worker: 'one', model, environment })
  if (isCapped) await setTenantCaps(world.ledger, 'default', { cap_cost: 100 * nano })
  await engine.worker.start()
  const { id } = await engine.runs.create(toRequest({ method: { id: 'mcts', iterations: 50, samples: 2 } }))
  await expect.poll(() => calls).toBeGreaterThan(10)
  return { engine, id, calls: () => calls }
}

async function remains({ ledger, objects }: World, run: string) {
  const partitions = [ledgerKeys.spending(run, ''), ledgerKeys.episode(run, ''), ledgerKeys.event(run, 0)]
  const pages = await Promise.all(partitions.map(({ partition }) => ledger.query(partition)))
  const stored = await objects.list(`runs/${run}/`)
  return [...pages.flatMap(({ items }) => items), ...stored.objects, await ledger.get(ledgerKeys.run(run))]
}

test('a run that is cancelled and deleted in play is left, its money returned and its data removed', async () => {
  const world = await openTestWorld()
  const { engine, id, calls } = await playLong(world)
  await engine.runs.cancel(id)
  await engine.runs.delete(id)
  await expect.poll(() => engine.runner.taken.length).toBe(0)
  await expect.poll(() => world.ledger.get(ledgerKeys.holding('one', id))).toBeNull()
  const made = calls()
  await engine.sweep({ lostAfter: 3600 })
  expect((await remains(world, id)).filter((one) => one !== null)).toEqual([])
  expect((await world.ledger.query(remainsPartition)).items).toEqual([])
  const { leased_cost } = await readTenant(world.ledger, 'default')
  expect(leased_cost).toBe(Math.round(made * priceOfCall * nano))
  await engine.worker.stop(1)
  expect(calls()).toBe(made)
  expect(await world.ledger.get(ledgerKeys.worker('one'))).toBeNull()
})

test('what a killed worker held of a deleted run is returned to its tenant', async () => {
  const world = await openTestWorld()
  const { engine, id } = await playLong(world)
  await world.ledger.update({ key: ledgerKeys.worker('one'), set: { expires: 0 } })
  await engine.runs.cancel(id)
  await engine.runs.delete(id)
  expect(await world.ledger.get(ledgerKeys.run(id))).not.toBeNull()
  const other = openTestEngine({ world, worker: 'other' })
  await expect
    .poll(async () => {
      await other.sweep({ lostAfter: 3600 })
      return world.ledger.get(ledgerKeys.run(id))
    })
    .toBeNull()
  const { leased_cost } = await readTenant(world.ledger, 'default')
  expect(leased_cost).toBeLessThan(1 * nano)
})

test('a run that cannot be read keeps no other run of its worker from a pause', async () => {
  const world = await openTestWorld()
  const { engine, id } = await playLong(world, { isCapped: false })
  const second = await engine.runs.create(toRequest({ method: { id: 'mcts', iterations: 50, samples: 2 } }))
  await untilStatus(engine, second.id, 'running')
  await expect.poll(() => engine.runner.runs.size).toBe(2)
  await world.ledger.update({ key: ledgerKeys.run(id), delete: true })
  await engine.runs.pause(second.id)
  await expect.poll(() => engine.runner.runs.has(second.id)).toBe(false)
  await expect.poll(() => engine.runner.runs.size).toBe(0)
})
