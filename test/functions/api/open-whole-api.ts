import { expect } from 'vitest'
import type { ApiApp } from '../../../functions/api/api-app.ts'
import type { TenantServices } from '../../../functions/api/api-services.ts'
import { createApp } from '../../../functions/api/create-app.ts'
import { scoresIn } from '../../../functions/wiring/late-judgements.ts'
import { openRemoval } from '../../../functions/wiring/open-removal.ts'
import { addFileRoute } from '../../../local/file-route.ts'
import { keyPrincipal } from '../../../local/local-principal.ts'
import { openKeys } from '../../../shared/core/auth/open-keys.ts'
import { openMemories } from '../../../shared/core/engine/memories/open-memories.ts'
import { openMemoryReader } from '../../../shared/core/engine/memories/open-memory-reader.ts'
import { openTenantLimits } from '../../../shared/core/engine/spending/open-tenant-limits.ts'
import { openLocalWorld } from '../../../shared/core/world/local/open-local-world.ts'
import { openAttempts } from '../../../shared/data/datasets/open-attempts.ts'
import { openDatasets } from '../../../shared/data/datasets/open-datasets.ts'
import { openTrajectories } from '../../../shared/data/trajectories/open-trajectories.ts'
import { EpisodeCache } from '../../../shared/insight/inspection/episode-cache.ts'
import { openInspection } from '../../../shared/insight/inspection/open-inspection.ts'
import { openJudgements } from '../../../shared/insight/judgements/open-judgements.ts'
import { openScorings } from '../../../shared/insight/judgements/open-scorings.ts'
import { openReports } from '../../../shared/insight/reports/open-reports.ts'
import { ObjectIndex } from '../../../shared/insight/transcripts/object-index.ts'
import { openTranscripts } from '../../../shared/insight/transcripts/open-transcripts.ts'
import { openLoops } from '../../../shared/learn/loops/open-loops.ts'
import { openModelRegistry } from '../../../shared/learn/registry/open-models.ts'
import { GroupFolds, openRollouts } from '../../../shared/learn/rollouts/open-rollouts.ts'
import { neverAsked } from '../../data/datasets/open-test-datasets.ts'
import { FakeService } from '../../learn/loops/fake-service.ts'
import { openTestEngine } from '../../support/open-test-engine.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { absent } from './fake-answers.ts'
import { FakeServices } from './fake-services.ts'

export interface Answer {
  status: number
  text: string
  location: string | null
  json<Body = unknown>(): Body
}

export type Member = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>

/** Everything over one local world: the engine, its runs played at once, the API and its signed files. */
export async function openWholeApi() {
  const world = await openLocalWorld({ folder: await temporaryFolder() })
  const engine = openTestEngine({ world })
  await engine.worker.start()
  const trajectories = openTrajectories({ world })
  const datasets = openDatasets({
    world,
    trajectories,
    runs: engine.tenants,
    annotations: { of: () => neverAsked },
    splitsOf: async () => new Map(),
    scoresOf: scoresIn(world),
    checkEndpoint: () => undefined,
  })
  const folds = new GroupFolds()
  const attempts = (runs: TenantServices['runs']) =>
    openAttempts({
      objects: world.objects,
      runs,
      trajectories: trajectories.of('default'),
      splitsOf: async () => new Map(),
    })
  const memories = openMemories(world)
  const reader = openMemoryReader(world)
  const cache = new EpisodeCache()
  const loops = openLoops({ world, send: async () => {}, parts: () => new FakeService().parts() })
  const keys = openKeys(world)
  const limits = openTenantLimits(world)
  const registry = openModelRegistry({ world })
  const { catalogue, endpoints, forecasts, health, keepsModels, servers, trainers, trainings, workers } =
    new FakeServices()
  const app = createApp(
    {
      tenant(name) {
        const runs = engine.tenants.of(name)
        const judgements = openJudgements({ world, runs })
        const reports = openReports({
          runs,
          listRuns: (query) => runs.list(query),
          listExperiments: (query) => runs.experiments(query),
          isSimulated: () => true,
          tasksOf: async () => null,
          scoresOf: (run) => judgements.counter(run),
        })
        const transcripts = openTranscripts({
          index: new ObjectIndex(world.objects),
          runs,
          now: () => world.clock.now(),
          onError: (error) => engine.errors.push(error),
        })
        return {
          runs,
          transcripts,
          forecasts,
          reports,
          judgements,
          scorings: openScorings({ world, runs }),
          questions: { estimate: absent, ask: absent },
          datasets: datasets.of(name),
          loops: loops.of(name),
          rollouts: openRollouts({ runs, folds, attempts: attempts(runs) }),
          trainings,
          memories: memories.of(name),
          inspection: openInspection({
            runs,
            memories: memories.of(name),
            cache,
            reader,
            objects: world.objects,
            clock: world.clock,
            statesOf: async () => ({ why: 'This test shows no states.' }),
          }),
          trajectories: trajectories.of(name),
          removal: openRemoval({
            runs,
            transcripts,
            trainings,
            datasets: datasets.of(name),
            loops: loops.of(name),
            trajectories: trajectories.of(name),
          }),
          models: registry.of(name),
          servers,
        }
      },
      keys,
      endpoints,
      limits,
      catalogue,
      workers,
      trainers,
      objects: world.objects,
      keepsModels,
      health,
    },
    { authenticate: keyPrincipal(keys), eventTimes: { poll: 5 } },
  )
  addFileRoute(app, world)
  return { app, engine, world, tenants: { keys, limits, datasets } }
}

/** A caller with every right in the tenant. None of the answers may show what another tenant keeps. */
export async function memberOf(
  app: ApiApp,
  { keys }: { keys: ReturnType<typeof openKeys> },
  tenant: string,
): Promise<Member> {
  const { key } = await keys.create(tenant, { name: 'admin', scopes: ['admin'] })
  return async (method, path, body, headers) => {
    const answer = await app.request(path, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    const secrets = [...text.matchAll(/(?:secret )?of (tenant-\d+-\d)/g)].map(([, name]) => name)
    expect(secrets.filter((name) => name !== tenant)).toEqual([])
    const location = answer.headers.get('Location')
    return { status: answer.status, text, location, json: <Body>() => JSON.parse(text) as Body }
  }
}
