import { join } from 'node:path'
import type { ApiServices } from '../functions/api/api-services.ts'
import { errorFields, type Log } from '../functions/api/log.ts'
import { openCatalogue } from '../functions/api/open-catalogue.ts'
import packageFile from '../package.json' with { type: 'json' }
import type { DatasetConsumer } from '../shared/datasets/dataset-consumer.ts'
import { openDatasets } from '../shared/datasets/open-datasets.ts'
import { openEngine } from '../shared/engine/open-engine.ts'
import { describeEnvironment, environments, findEnvironment } from '../shared/environments/environments.ts'
import { selectTasks } from '../shared/environments/select-tasks.ts'
import { createEpisodePrograms } from '../shared/methods/episode-programs.ts'
import { describeMethod, methods } from '../shared/methods/methods.ts'
import { createRunPlanner } from '../shared/methods/plan-run.ts'
import { type Endpoints, loadEndpoints } from '../shared/models/load-endpoints.ts'
import { openModels } from '../shared/models/model-pool.ts'
import { openReports } from '../shared/reports/open-reports.ts'
import { openLocalWorld } from '../shared/world/local/open-local-world.ts'
import { codeVersion } from './code-version.ts'
import type { FileRouteNeeds } from './file-route.ts'
import { isPriced, isSimulated, reconcileWith } from './model-questions.ts'
import { retireWorkers } from './retire-workers.ts'
import { type Sweeper, startSweeper } from './start-sweeper.ts'

export interface WiringOptions {
  folder: string
  endpoints?: Endpoints
  capacity: number
  log: Log
}

/** The parts of the embedded service, put together. */
export interface Wiring {
  services: ApiServices
  files: FileRouteNeeds
  /** Tells other processes where the service of this folder answers. */
  announce(address: string): Promise<void>
  /** Takes up what an earlier process left, and begins to work. */
  start(): Promise<void>
  /** Commits what is under way, cutting off calls that take longer than `grace` seconds, and releases the folder. */
  close(grace: number): Promise<void>
}

const sweepEvery = 5000
/** Seconds. The queue lies beside the ledger and loses no message, so this is for the unforeseen. */
const lostAfter = 3600

/** Opens everything over the data folder. Nothing is played before `start`. */
export async function wireServices(options: WiringOptions): Promise<Wiring> {
  const { folder, capacity, log } = options
  const onError = (error: unknown, what: string) =>
    log({ level: 'error', event: 'service.failed', what, ...errorFields(error) })
  const endpoints =
    options.endpoints ??
    (await loadEndpoints({ path: join(folder, 'endpoints.json'), environment: process.env }))
  const world = await openLocalWorld({ folder })
  const models = openModels(endpoints)
  const engine = openEngine({
    world,
    planner: createRunPlanner({ findEnvironment, selectTasks, isPriced: isPriced(models) }),
    programs: createEpisodePrograms({
      findEnvironment,
      model: (endpoint) => models.model(endpoint),
      version: packageFile.version,
    }),
    reconcile: reconcileWith(models, (error) => onError(error, 'asking what a lost call cost')),
    code: await codeVersion(packageFile.version),
    capacity,
    onError,
  })
  const { runs } = engine
  const datasets = openDatasets({ world, runs })
  const reports = openReports({ runs, isSimulated: isSimulated(models) })
  const catalogue = openCatalogue({
    environments: Object.values(environments).map((environment) => ({
      info: describeEnvironment(environment),
      tasks: () => environment.tasks(),
    })),
    methods: methods.map(describeMethod),
    endpoints: () => models.list(),
  })
  let working: { consumer: DatasetConsumer; sweeper: Sweeper } | null = null

  return {
    services: {
      runs,
      reports,
      datasets,
      catalogue,
      objects: world.objects,
      async health() {
        await world.ledger.get({ partition: 'health', sort: 'health' })
        return { status: 'ok', version: packageFile.version, world: world.name }
      },
    },
    files: world,
    announce: (address) => world.announce(address),
    async start() {
      await retireWorkers(world)
      await engine.sweep({ lostAfter })
      await engine.worker.start()
      working = {
        consumer: datasets.start({ onError: (error) => onError(error, 'building datasets') }),
        sweeper: startSweeper(() => engine.sweep({ lostAfter }), {
          every: sweepEvery,
          onError: (error) => onError(error, 'sweeping'),
        }),
      }
    },
    async close(grace) {
      const stops =
        working === null ? [] : [working.sweeper.stop(), working.consumer.stop(), engine.worker.stop(grace)]
      const stopped = await Promise.allSettled(stops)
      await models.close()
      await world.close()
      const failed = stopped.filter((result) => result.status === 'rejected')
      if (failed.length > 0)
        throw new AggregateError(
          failed.map(({ reason }) => reason),
          'The service did not stop cleanly.',
        )
    },
  }
}
