import type { TenantRuns } from '../../shared/core/engine/runs/runs.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Attempts } from '../../shared/data/datasets/attempts.ts'
import { openAnnotations } from '../../shared/data/datasets/open-annotations.ts'
import { openDatasets, type TenantDatasets } from '../../shared/data/datasets/open-datasets.ts'
import { openTrajectories } from '../../shared/data/trajectories/open-trajectories.ts'
import type { Environments } from '../../shared/environments/open-environments.ts'
import type { ModelPool } from '../../shared/play/models/model-pool.ts'
import { taskSplitsOf } from './environment-facts.ts'
import { scoresIn } from './late-judgements.ts'
import { checkEndpoint } from './model-questions.ts'

export interface DatasetWiring {
  world: World
  runs: TenantRuns
  environments: Environments
  models: Pick<ModelPool, 'list' | 'refresh'>
}

export function wireDatasets(needs: DatasetWiring): TenantDatasets {
  const { environments, models, runs, world } = needs
  const trajectories = openTrajectories({ world })
  const attempts = attemptsOf(needs)
  const datasets: TenantDatasets = openDatasets({
    world,
    runs,
    trajectories,
    splitsOf: taskSplitsOf(environments),
    scoresOf: scoresIn(world),
    checkEndpoint: checkEndpoint(models),
    annotations: {
      of: (tenant) =>
        openAnnotations({
          runs: runs.of(tenant),
          attempts: attempts(tenant),
          requestOf: async (dataset) => (await datasets.of(tenant).get(dataset)).request,
        }),
    },
  })
  return datasets
}

export function attemptsOf({
  environments,
  runs,
  world,
}: Pick<DatasetWiring, 'environments' | 'runs' | 'world'>): (tenant: string) => Attempts {
  const trajectories = openTrajectories({ world })
  return (tenant) => {
    let opened: Promise<Attempts> | undefined
    const load = async () =>
      (await import('../../shared/data/datasets/open-attempts.ts')).openAttempts({
        objects: world.objects,
        runs: runs.of(tenant),
        trajectories: trajectories.of(tenant),
        splitsOf: taskSplitsOf(environments),
      })
    return {
      async open(...given) {
        opened ??= load()
        return (await opened).open(...given)
      },
    }
  }
}
