import type { RunRequest } from '../../shared/core/contracts/run.ts'
import type { EpisodePrograms } from '../../shared/core/engine/episodes/episode-program.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import type { TenantRuns } from '../../shared/core/engine/runs/runs.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Attempts } from '../../shared/data/datasets/attempts.ts'
import type { Environments } from '../../shared/environments/open-environments.ts'
import { ModelCalls, type ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import type { TokenCounter } from '../../shared/play/models/token-counter.ts'
import { attemptsOf } from './wire-datasets.ts'

export interface AnnotationWiring {
  world: World
  environments: Environments
  models: ModelsByEndpoint
  counters(tenant: string, request: RunRequest): Promise<ReadonlyMap<string, TokenCounter>>
  runs(): TenantRuns
}

/**
 * Episodes of runs that ask a model for datasets, over the tenants' runs and imports. The kinds load with the first
 * episode, not at each start.
 */
export function annotationPrograms({
  world,
  environments,
  models,
  counters,
  runs,
}: AnnotationWiring): EpisodePrograms {
  const store = new RunStore(world)
  const opened = new Map<string, Attempts>()

  function attempts(tenant: string): Attempts {
    const own = opened.get(tenant) ?? attemptsOf({ world, environments, runs: runs() })(tenant)
    opened.set(tenant, own)
    return own
  }

  async function load(): Promise<EpisodePrograms> {
    const { createAnnotationPrograms } = await import('../../shared/data/datasets/annotation-programs.ts')
    return createAnnotationPrograms({
      attempts,
      tenantOf: async (run) => (await store.get(run)).tenant,
      calls: (episode) => new ModelCalls({ ...episode, models }),
      counters,
    })
  }

  return {
    program: async (...given) => (await load()).program(...given),
    summarise: async (...given) => (await load()).summarise(...given),
  }
}
