import { randomUUID } from 'node:crypto'
import packageFile from '../../package.json' with { type: 'json' }
import type { RunRequest } from '../../shared/core/contracts/run.ts'
import type { EpisodePrograms } from '../../shared/core/engine/episodes/episode-program.ts'
import type { MemoryReader } from '../../shared/core/engine/memories/memory-reader.ts'
import { openMemoryReader } from '../../shared/core/engine/memories/open-memory-reader.ts'
import { type Engine, type EngineOptions, openEngine } from '../../shared/core/engine/open-engine.ts'
import type { EpisodePlace } from '../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import type { TenantRuns } from '../../shared/core/engine/runs/runs.ts'
import { openPictureStore } from '../../shared/core/pictures/picture-store.ts'
import type { World } from '../../shared/core/world/ports.ts'
import type { Attempts } from '../../shared/data/datasets/attempts.ts'
import type { TenantDatasets } from '../../shared/data/datasets/open-datasets.ts'
import { probesOfCaller } from '../../shared/environments/in-process/probe-caller.ts'
import type { Environments } from '../../shared/environments/open-environments.ts'
import type { FindMissingRuntimes } from '../../shared/environments/runtimes/image-runtimes.ts'
import { createEpisodePrograms } from '../../shared/play/methods/episode-programs.ts'
import type { Methods } from '../../shared/play/methods/methods.ts'
import { ModelCalls, type ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import { createRunPlanner } from '../../shared/play/methods/plan-run.ts'
import type { ModelPool } from '../../shared/play/models/model-pool.ts'
import type { TokenCounter } from '../../shared/play/models/token-counter.ts'
import { isPriced, isSimulated, pricedModels, reconcileWith } from './model-questions.ts'
import type { ModelTokenizers, TokenizerNeeds } from './model-tokenizers.ts'
import type { EnvironmentServices } from './open-environment-services.ts'
import { attemptsOf, wireDatasets } from './wire-datasets.ts'

export type EngineWiring = Omit<EngineOptions, 'planner' | 'programs' | 'reconcile'> &
  EnvironmentServices & {
    methods: Methods
    models: ModelPool
    /**
     * Applies the service's own settings to a request, before its models do.
     * @throws EspalierError `invalid_request` for options that the service does not have
     */
    settleRequest?: (request: RunRequest) => RunRequest
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
    pictures: openPictureStore(world.objects),
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
        pictures: openPictureStore(world.objects),
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
    probes: async (request, purpose, tenant) => [
      ...(await (
        await import('../../shared/play/methods/probe-models.ts')
      ).probesOf(request, purpose, {
        ...{ methods, models, environments, isSimulated: isSimulated(models) },
        counters: () => tokenizers.countersOf(tenant, request),
      })),
      // Annotation plays no code of callers.
      ...(purpose === 'annotate' ? [] : await probesOfCaller(request, environments, methods)),
    ],
    reconcile: reconcileWith(models, (error) => onError(error, 'asking what a lost call cost')),
  })
  const datasets = wireDatasets({ world, runs: engine.runs, environments, models })
  return { engine, datasets, reader, tokenizers }
}

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

export function programsByPurpose(programs: {
  play: EpisodePrograms
  annotate: EpisodePrograms
}): EpisodePrograms {
  const { play, annotate } = programs
  const of = ({ purpose }: EpisodePlace) => (purpose === 'annotate' ? annotate : play)
  return {
    program: (run, request, place, ...rest) => of(place).program(run, request, place, ...rest),
    // Annotation uses only code of this repository.
    codeOf: (request, purpose) => (purpose === 'annotate' ? null : (play.codeOf?.(request, purpose) ?? null)),
    summarise: (run, request, place, records) => of(place).summarise(run, request, place, records),
  }
}

interface AnnotationWiring {
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
function annotationPrograms({
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
