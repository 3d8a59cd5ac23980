import { economy } from '../../functions/aws/economy.ts'
import {
  type SimulatedEndpoint,
  simulatedEndpointSchema,
} from '../../shared/core/contracts/endpoint-configuration.ts'
import { WorkerLogs } from '../../shared/core/engine/log/worker-logs.ts'
import { openMemoryReader } from '../../shared/core/engine/memories/open-memory-reader.ts'
import { openEngine } from '../../shared/core/engine/open-engine.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { createEpisodePrograms } from '../../shared/play/methods/episode-programs.ts'
import { openMethods } from '../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../shared/play/methods/plan-run.ts'
import { modelClock } from '../../shared/play/models/model-clock.ts'
import { createSimulatedModels } from '../../shared/play/simulated/simulated-models.ts'
import { benchEnvironments } from '../bench-environments.ts'
import { benchModels } from '../bench-models.ts'

/** With prices, so that the run's cap on money is leased as in a real run. */
const endpoint: SimulatedEndpoint = simulatedEndpointSchema.parse({
  kind: 'simulated',
  prices: { '*': { input: 0.25, output: 2 } },
})

export type CountedEconomy = typeof economy & { groupFor?: number }

export function openCountedEngine(world: World, worker: string, given: CountedEconomy = economy) {
  const { groupFor = 0, ...shared } = given
  const { chat: model } = createSimulatedModels('simulated', endpoint, modelClock)
  return openEngine({
    world,
    planner: createRunPlanner({ methods: openMethods(), ...benchEnvironments, isPriced: () => true }),
    programs: createEpisodePrograms({
      methods: openMethods(),
      ...benchEnvironments,
      ...benchModels(model),
      memories: openMemoryReader(world),
      version: 'cost',
    }),
    reconcile: async () => 'unknown',
    code: 'cost',
    worker,
    ...shared,
    ...(groupFor > 0 && { logs: new WorkerLogs(world, groupFor) }),
    // Polls and heartbeats come with time, and none passes here.
    lookEvery: 3_600_000,
    onError: (error) => {
      throw error
    },
  })
}
