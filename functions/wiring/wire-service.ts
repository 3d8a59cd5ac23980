import { openKeys } from '../../shared/core/auth/open-keys.ts'
import { openMemories } from '../../shared/core/engine/memories/open-memories.ts'
import { openTenantLimits } from '../../shared/core/engine/spending/open-tenant-limits.ts'
import { openPictureStore } from '../../shared/core/pictures/picture-store.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { openTrajectories } from '../../shared/data/trajectories/open-trajectories.ts'
import { EpisodeCache } from '../../shared/insight/inspection/episode-cache.ts'
import { openInspection } from '../../shared/insight/inspection/open-inspection.ts'
import { RunFolds } from '../../shared/insight/reports/fold-run.ts'
import { openReports } from '../../shared/insight/reports/open-reports.ts'
import type { TranscriptNeeds, Transcripts } from '../../shared/insight/transcripts/open-transcripts.ts'
import type { TranscriptIndex } from '../../shared/insight/transcripts/transcript-index.ts'
import type { TenantLoops } from '../../shared/learn/loops/open-loops.ts'
import type { TenantModels } from '../../shared/learn/registry/model-registry.ts'
import { openModelRegistry } from '../../shared/learn/registry/open-models.ts'
import type { GroupFolds, RolloutNeeds } from '../../shared/learn/rollouts/open-rollouts.ts'
import type { Rollouts } from '../../shared/learn/rollouts/rollouts.ts'
import { openModelServers } from '../../shared/learn/serving/open-model-servers.ts'
import type { ServerDrivers } from '../../shared/learn/serving/server-driver.ts'
import { checkPaths } from '../../shared/learn/trainings/check-paths.ts'
import { openTrainings, type TrainingOptions } from '../../shared/learn/trainings/open-trainings.ts'
import type { TenantTrainings } from '../../shared/learn/trainings/trainings.ts'
import { describeMethod } from '../../shared/play/methods/describe-method.ts'
import { openEndpointDirectory } from '../../shared/play/models/endpoint-directory.ts'
import { openEndpoints } from '../../shared/play/models/open-endpoints.ts'
import type { ApiServices, TenantServices } from '../api/api-services.ts'
import { openCatalogue } from '../api/open-catalogue.ts'
import { abilitiesOf, dataOf, slotsOf, taskFactsOf, taskStatesOf } from './environment-facts.ts'
import { lateJudgements, lateQuestions, lateScorings } from './late-judgements.ts'
import { checkEndpoint, isSimulated } from './model-questions.ts'
import { openHealth } from './open-health.ts'
import { openRemoval } from './open-removal.ts'
import { usesOfModel } from './uses-of-model.ts'
import { attemptsOf } from './wire-datasets.ts'
import { type EngineWiring, type WiredEngine, wireEngine } from './wire-engine.ts'
import { wireLoops } from './wire-loops.ts'

export type WiringOptions = EngineWiring & {
  /** Drivers that serve registered models, if this service starts servers. @default null */
  drivers?: ServerDrivers | null
  training?: TrainingOptions
  /** The index of transcripts. @default objects beside those of their runs */
  transcripts?: TranscriptIndex
}

const noTrainers: TrainingOptions = { trainers: new Map(), folder: null, folders: [] }

export interface WiredService extends Pick<WiredEngine, 'engine' | 'datasets'> {
  registry: TenantModels
  trainings: TenantTrainings
  loops: TenantLoops
  api: ApiServices
}

export function wireService(wiring: WiringOptions): WiredService {
  const { drivers = null, training = noTrainers, transcripts, ...wired } = wiring
  const { environments, methods, models, onError, world } = wired
  const health = openHealth(world)
  const { datasets, engine, reader, tokenizers } = wireEngine({
    ...wired,
    storageProblem: () => health.problem(),
  })
  const { runs } = engine
  // On AWS no function takes messages of the queue of jobs.
  const hasJobs = world.name !== 'aws'
  const registry = openModelRegistry({
    world,
    usesOf: (tenant, model) => usesOfModel({ trainings, loops }, tenant, model),
  })
  const trainings = openTrainings({ world, datasets, models: registry, ...training })
  const memories = openMemories(world)
  const trajectories = openTrajectories({ world, dataOf: dataOf(environments) })
  const directory = models.directory ?? openEndpointDirectory(world)
  const servers = openModelServers({
    world,
    registry,
    directory,
    isTaken: (name) => models.list().some(({ id, origin }) => id === name && origin !== 'served'),
    drivers,
    checkBase: (base) =>
      checkPaths({ base, hyperparameters: {} }, { folders: training.folders, isService: false }),
    remoteEndpoint: ({ trainer, name }) => training.trainers.get(trainer)?.service?.endpointOf(name) ?? null,
  })
  const tasksOf = taskFactsOf(environments)
  const statesOf = taskStatesOf(environments)
  const cache = new EpisodeCache()
  const folds = new RunFolds()
  const lateRollouts = openLateRollouts()
  const catalogue = openCatalogue({
    environments,
    describeMethods: () =>
      methods.list().map((method) => describeMethod(method, methods.moduleOf(method.id))),
    async endpoints(tenant) {
      await models.refresh()
      return models.list(tenant)
    },
  })
  const loops = wireLoops({
    world,
    environments,
    services(tenant) {
      const own = api.tenant(tenant)
      return { ...own, registry: own.models }
    },
    isSimulated: isSimulated(models),
    checkEndpoint: checkEndpoint(models),
  })
  const api: ApiServices = {
    tenant(name) {
      const own = runs.of(name)
      const judgements = lateJudgements({ world, runs: own })
      const reports = openReports({
        runs: own,
        listRuns: (query) => own.list(query),
        listExperiments: (query) => own.experiments(query),
        isSimulated: isSimulated(models),
        folds,
        tasksOf,
        abilitiesOf: abilitiesOf(environments),
        scoresOf: (run) => judgements.counter(run),
      })
      const forecasts: TenantServices['forecasts'] = {
        async estimate(request) {
          const { openForecasts } = await import('../../shared/play/methods/forecast/open-forecasts.ts')
          return openForecasts({
            environments,
            methods,
            price: ({ endpoint, id }) => models.price(endpoint, id),
            maxChoices: (endpoint) => models.maxChoices(endpoint),
            slots: slotsOf,
            runs: own,
            counters: (request) => tokenizers.countersOf(name, request),
          }).estimate(request)
        },
      }
      const known = memories.of(name)
      const things = {
        datasets: datasets.of(name),
        trainings: trainings.of(name),
        trajectories: trajectories.of(name),
        ...(hasJobs && { loops: loops.of(name) }),
        rollouts: lateRollouts({ runs: own, attempts: attemptsOf({ world, environments, runs })(name) }),
        transcripts: wireTranscripts({
          index: transcripts ?? null,
          objects: world.objects,
          runs: own,
          now: () => world.clock.now(),
          onError,
        }),
      }
      return {
        ...things,
        runs: own,
        removal: openRemoval({ ...things, runs: own }),
        forecasts,
        reports,
        judgements,
        scorings: lateScorings({ world, runs: own }),
        questions: lateQuestions({
          clock: world.clock,
          runs: own,
          checkEndpoint: (choice, param) => checkEndpoint(models)(choice, param, name),
          configuration: (endpoint) => models.configuration(endpoint),
          price: (endpoint, model) => models.price(endpoint, model),
        }),
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
        models: registry.of(name),
        servers: servers.of(name),
      }
    },
    keys: openKeys(world),
    limits: openTenantLimits(world),
    catalogue,
    endpoints: openEndpoints({
      models,
      directory,
      network: world.name === 'aws' ? 'public' : 'any',
      pictures: openPictureStore(world.objects),
      now: () => performance.now(),
    }),
    trainers: () => [...training.trainers].map(([id, { info }]) => ({ ...info, id })),
    async workers(tenant) {
      const { listWorkerInfos } = await import('../../shared/core/engine/placement/list-worker-infos.ts')
      return listWorkerInfos(world, tenant)
    },
    objects: world.objects,
    keepsModels: hasJobs,
    health,
  }
  return { engine, datasets, registry, trainings, loops, api }
}

function openLateRollouts(): (needs: Omit<RolloutNeeds, 'folds'>) => Rollouts {
  let folds: GroupFolds | undefined
  return (needs) => {
    const open = async () => {
      const opened = await import('../../shared/learn/rollouts/open-rollouts.ts')
      folds ??= new opened.GroupFolds()
      return opened.openRollouts({ ...needs, folds })
    }
    return {
      create: async (...given) => (await open()).create(...given),
      get: async (...given) => (await open()).get(...given),
      list: async (...given) => (await open()).list(...given),
      cancel: async (...given) => (await open()).cancel(...given),
      changePolicy: async (...given) => (await open()).changePolicy(...given),
      groups: async (...given) => (await open()).groups(...given),
      group: async (...given) => (await open()).group(...given),
      figures: async (...given) => (await open()).figures(...given),
      credit: async (...given) => (await open()).credit(...given),
    }
  }
}

type TranscriptWiring = Omit<TranscriptNeeds, 'index'> & {
  index: TranscriptIndex | null
  objects: World['objects']
}

function wireTranscripts({ index, objects, ...needs }: TranscriptWiring): Transcripts {
  const openIndex = async () =>
    index ?? new (await import('../../shared/insight/transcripts/object-index.ts')).ObjectIndex(objects)

  return {
    async search(query) {
      const { openTranscripts } = await import('../../shared/insight/transcripts/open-transcripts.ts')
      return openTranscripts({ ...needs, index: await openIndex() }).search(query)
    },
    forget: async (run) => (await openIndex()).remove(run),
  }
}
