import { randomUUID } from 'node:crypto'
import packageFile from '../../package.json' with { type: 'json' }
import type { RunRequest } from '../../shared/core/contracts/run.ts'
import type { MemoryReader } from '../../shared/core/engine/memories/memory-reader.ts'
import { openMemoryReader } from '../../shared/core/engine/memories/open-memory-reader.ts'
import { type Engine, type EngineOptions, openEngine } from '../../shared/core/engine/open-engine.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import type { TenantDatasets } from '../../shared/data/datasets/open-datasets.ts'
import type { FindMissingRuntimes } from '../../shared/environments/runtimes/image-runtimes.ts'
import { createEpisodePrograms } from '../../shared/play/methods/episode-programs.ts'
import type { Methods } from '../../shared/play/methods/methods.ts'
import { createRunPlanner } from '../../shared/play/methods/plan-run.ts'
import { probesOf } from '../../shared/play/methods/probe-models.ts'
import type { ModelPool } from '../../shared/play/models/model-pool.ts'
import { annotationPrograms } from './annotation-programs.ts'
import { isPriced, isSimulated, pricedModels, reconcileWith } from './model-questions.ts'
import type { ModelTokenizers, TokenizerNeeds } from './model-tokenizers.ts'
import type { EnvironmentParts } from './open-environment-parts.ts'
import { programsByPurpose } from './programs-by-purpose.ts'
import { wireDatasets } from './wire-datasets.ts'

export type EngineWiring = Omit<EngineOptions, 'planner' | 'programs' | 'reconcile'> &
  EnvironmentParts & {
    methods: Methods
    models: ModelPool
    /**
     * Applies the service's own settings to a request, before its models do.
     * @throws EspalierError `invalid_request` for options that the service does not have
     */
    settleRequest?: (request: RunRequest) => RunRequest
    /** Lists the programs that an environment needs and the machine of its hosts lacks. @default nothing */
    missingRuntimes?: FindMissingRuntimes
  }

export interface WiredEngine {
  engine: Engine
  datasets: TenantDatasets
  reader: MemoryReader
  tokenizers: ModelTokenizers
}

export function wireEngine({
  environments,
  methods,
  models,
  sessions,
  settleRequest = (request) => request,
  missingRuntimes,
  ...options
}: EngineWiring): WiredEngine {
  const { world, onError, worker = `worker-${randomUUID()}` } = options
  const reader = openMemoryReader(world)
  const tokenizers = lateTokenizers({ world, models, onError })
  const rows = new RunStore(world)
  const planner = createRunPlanner({
    environments,
    methods,
    ...(missingRuntimes && { missingRuntimes }),
    isPriced: isPriced(models),
    pricedModels: pricedModels(models),
    completeModels: async (request, tenant) =>
      (await import('./complete-models.ts')).completeModelsWith(models)(settleRequest(request), tenant),
    completeTokenizers: (request, tenant) => tokenizers.complete(request, tenant),
  })
  const engine: Engine = openEngine({
    ...options,
    worker,
    planner,
    programs: programsByPurpose({
      play: createEpisodePrograms({
        environments,
        methods,
        sessions,
        worker,
        models,
        memories: reader,
        counters: async (run, request) => tokenizers.countersOf((await rows.get(run)).tenant, request),
        version: packageFile.version,
      }),
      annotate: annotationPrograms({
        world,
        environments,
        models,
        counters: tokenizers.countersOf,
        runs: () => engine.runs,
      }),
    }),
    probes: (request, purpose) =>
      probesOf(request, purpose, { methods, models, isSimulated: isSimulated(models) }),
    reconcile: reconcileWith(models, (error) => onError(error, 'asking what a lost call cost')),
  })
  const datasets = wireDatasets({ world, runs: engine.runs, environments, models })
  return { engine, datasets, reader, tokenizers }
}

/** Loads tokenizers when the first prompt is counted or a run is planned, because most functions count none. */
function lateTokenizers(needs: TokenizerNeeds): ModelTokenizers {
  let opening: Promise<ModelTokenizers> | undefined
  const open = () => {
    opening ??= import('./model-tokenizers.ts').then(({ openModelTokenizers }) => openModelTokenizers(needs))
    return opening
  }
  return {
    complete: async (...given) => (await open()).complete(...given),
    countersOf: async (...given) => (await open()).countersOf(...given),
  }
}
