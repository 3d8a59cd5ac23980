import { randomUUID } from 'node:crypto'
import packageFile from '../../package.json' with { type: 'json' }
import { openKeys } from '../../shared/auth/open-keys.ts'
import type { TenantDatasets } from '../../shared/datasets/open-datasets.ts'
import { openMemories } from '../../shared/engine/memories/open-memories.ts'
import { openMemoryReader } from '../../shared/engine/memories/open-memory-reader.ts'
import { type Engine, type EngineOptions, openEngine } from '../../shared/engine/open-engine.ts'
import { openTenantLimits } from '../../shared/engine/spending/open-tenant-limits.ts'
import { EpisodeCache } from '../../shared/inspection/episode-cache.ts'
import { openInspection } from '../../shared/inspection/open-inspection.ts'
import { describeMethod } from '../../shared/methods/describe-method.ts'
import { createEpisodePrograms } from '../../shared/methods/episode-programs.ts'
import { openForecasts } from '../../shared/methods/forecast/open-forecasts.ts'
import { methods } from '../../shared/methods/methods.ts'
import { createRunPlanner } from '../../shared/methods/plan-run.ts'
import { probesOf } from '../../shared/methods/probe-models.ts'
import type { ModelPool } from '../../shared/models/model-pool.ts'
import { openReports } from '../../shared/reports/open-reports.ts'
import { openTrajectories } from '../../shared/trajectories/open-trajectories.ts'
import type { ApiServices } from '../api/api-services.ts'
import { openCatalogue } from '../api/open-catalogue.ts'
import { annotationPrograms } from './annotation-programs.ts'
import { dataOf, slotsOf, taskFactsOf, taskStatesOf } from './environment-facts.ts'
import { completeModelsWith, isPriced, isSimulated, reconcileWith } from './model-questions.ts'
import type { EnvironmentParts } from './open-environment-parts.ts'
import { openHealth } from './open-health.ts'
import { programsByPurpose } from './programs-by-purpose.ts'
import { wireDatasets } from './wire-datasets.ts'

export type WiringOptions = Omit<EngineOptions, 'planner' | 'programs' | 'reconcile'> &
  EnvironmentParts & { models: ModelPool }

/** The service over a world: the same in Lambda functions and in one process. */
export interface WiredService {
  engine: Engine
  datasets: TenantDatasets
  /** What the HTTP API stands on. */
  api: ApiServices
}

/** Puts environments, methods, models and engine together over a world. Nothing is played yet. */
export function wireService({ models, environments, sessions, ...options }: WiringOptions): WiredService {
  const { world, onError, worker = `worker-${randomUUID()}` } = options
  const reader = openMemoryReader(world)
  const planner = createRunPlanner({
    environments,
    isPriced: isPriced(models),
    completeModels: completeModelsWith(models),
  })
  const engine: Engine = openEngine({
    ...options,
    worker,
    planner,
    programs: programsByPurpose({
      play: createEpisodePrograms({
        environments,
        sessions,
        worker,
        models,
        memories: reader,
        version: packageFile.version,
      }),
      annotate: annotationPrograms({ world, environments, models, runs: () => engine.runs }),
    }),
    probes: (request, purpose) => probesOf(request, purpose, { models, isSimulated: isSimulated(models) }),
    reconcile: reconcileWith(models, (error) => onError(error, 'asking what a lost call cost')),
  })
  const { runs } = engine
  const datasets = wireDatasets({ world, runs, environments, models })
  const memories = openMemories(world)
  const trajectories = openTrajectories({ world, dataOf: dataOf(environments) })
  const tasksOf = taskFactsOf(environments)
  const statesOf = taskStatesOf(environments)
  const cache = new EpisodeCache()
  const catalogue = openCatalogue({
    environments,
    methods: methods.map(describeMethod),
    endpoints: () => models.list(),
  })
  return {
    engine,
    datasets,
    api: {
      tenant(name) {
        const own = runs.of(name)
        const reports = openReports({ runs: own, isSimulated: isSimulated(models), tasksOf })
        const forecasts = openForecasts({
          environments,
          price: ({ endpoint, id }) => models.price(endpoint, id),
          maxChoices: (endpoint) => models.maxChoices(endpoint),
          slots: slotsOf,
          runs: own,
        })
        const known = memories.of(name)
        return {
          runs: own,
          forecasts,
          reports,
          datasets: datasets.of(name),
          memories: known,
          inspection: openInspection({
            runs: own,
            memories: known,
            cache,
            reader,
            objects: world.objects,
            statesOf,
            clock: world.clock,
          }),
          trajectories: trajectories.of(name),
        }
      },
      keys: openKeys(world),
      limits: openTenantLimits(world),
      catalogue,
      objects: world.objects,
      health: openHealth(world),
    },
  }
}
