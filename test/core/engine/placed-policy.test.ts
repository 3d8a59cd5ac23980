import { expect, test } from 'vitest'
import type { WorkerMachine } from '../../../shared/core/contracts/machine.ts'
import { ledgerKeys } from '../../../shared/core/engine/keys.ts'
import { Placement, type PlacementRules } from '../../../shared/core/engine/placement/placement.ts'
import { RunDefinitions } from '../../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../../shared/core/engine/runs/run-store.ts'
import { openTestEngine, toRequest } from '../../support/open-test-engine.ts'
import { openTestWorld } from '../../support/open-test-world.ts'

const rules: PlacementRules = {
  needsOf: async ({ model }) => ({
    labels: [],
    service: false,
    endpoints: [{ name: String(model.endpoint), isStored: false }],
    environments: [],
    methods: [],
  }),
  labelsInUse: async () => [],
}

const machineWith = (endpoint: string) =>
  ({
    kind: 'shared',
    labels: [],
    endpoints: [endpoint],
    environments: [],
    methods: [],
  }) as unknown as WorkerMachine

test('a run whose policy has another endpoint goes to the machines that have it', async () => {
  const world = await openTestWorld()
  const { id } = await openTestEngine({ world }).runs.create(toRequest())
  const placement = new Placement(world, rules)
  const playable = (endpoint: string) => placement.playable(machineWith(endpoint))
  expect([await playable('test'), await playable('next')]).toEqual([[id], []])
  const definitions = new RunDefinitions(world.objects)
  const definition = await definitions.get(await new RunStore(world).get(id))
  const model = { ...definition.request.model, endpoint: 'next' }
  const edition = await definitions.store({
    ...definition,
    revision: 2,
    request: { ...definition.request, model },
  })
  await world.ledger.update({ key: ledgerKeys.run(id), set: { edition } })
  await expect.poll(async () => [await playable('test'), await playable('next')]).toEqual([[], [id]])
})
