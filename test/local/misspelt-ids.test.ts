import fc from 'fast-check'
import { expect, test } from 'vitest'
import { openKeys } from '../../shared/core/auth/open-keys.ts'
import { newIdentifier } from '../../shared/core/engine/identifiers.ts'
import { openMemories } from '../../shared/core/engine/memories/open-memories.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { tenantDatasetLedger } from '../../shared/data/datasets/dataset-ledger.ts'
import { importLedger } from '../../shared/data/trajectories/import-ledger.ts'
import { loopLedger } from '../../shared/learn/loops/loop-ledger.ts'
import { tenantModelLedger } from '../../shared/learn/registry/model-ledger.ts'
import { trainingLedger } from '../../shared/learn/trainings/training-ledger.ts'
import { oneSlip } from '../support/one-slip.ts'
import { openTestWorld } from '../support/open-test-world.ts'

const tenant = 'acme'

/** Each kind of thing with an id: its list, the beginning of its ids, and what reads one. */
const kinds: Record<string, [list: string, prefix: string, read: (world: World, id: string) => unknown]> = {
  run: ['runs', 'run', (world, id) => new RunStore(world).getOf(tenant, id)],
  dataset: ['datasets', 'dataset', ({ ledger }, id) => tenantDatasetLedger(ledger, tenant).read(id)],
  import: ['imports', 'import', ({ ledger }, id) => importLedger(ledger, tenant).read(id)],
  training: ['trainings', 'training', ({ ledger }, id) => trainingLedger(ledger).read(id, tenant)],
  loop: ['loops', 'loop', ({ ledger }, id) => loopLedger(ledger).read(id, tenant)],
  'registered model': ['models', 'model', (world, id) => tenantModelLedger(world, tenant).read(id)],
  memory: ['memories', 'mem', (world, id) => openMemories(world).of(tenant).memory(id)],
  library: ['libraries', 'lib', (world, id) => openMemories(world).of(tenant).library(id)],
  key: ['keys', 'key', (world, id) => openKeys(world).revoke(tenant, id)],
}

test.each(Object.entries(kinds))('one slip in the id of a %s is answered with the id', async (_, kind) => {
  const [list, prefix, read] = kind
  const world = await openTestWorld()
  const ids = [1, 2, 3].map((minute) => newIdentifier(prefix, minute * 60_000))
  const foreign = newIdentifier(prefix, 60_000)
  for (const id of ids)
    await world.ledger.update({ key: { partition: `tenant/${tenant}/${list}`, sort: id }, set: {} })
  await world.ledger.update({ key: { partition: `tenant/other/${list}`, sort: foreign }, set: {} })
  const refusal = async (id: string) =>
    Promise.resolve(read(world, id)).then(
      () => 'found',
      (error: Error) => error.message,
    )
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...ids).chain((id) => fc.tuple(fc.constant(id), oneSlip(id))),
      async ([id, slipped]) => {
        expect(await refusal(slipped)).toContain(`"${slipped}". Did you mean "${id}"?`)
      },
    ),
    { numRuns: 20 },
  )
  expect(await refusal(`${foreign.slice(0, -1)}_`)).not.toContain(foreign)
})
