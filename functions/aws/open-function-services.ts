import { join } from 'node:path'
import { MetricUnit } from '@aws-lambda-powertools/metrics'
import type { LambdaClient } from '@aws-sdk/client-lambda'
import type { HostCaller } from '../../shared/core/contracts/host-call.ts'
import type { WorkerKind } from '../../shared/core/contracts/workers.ts'
import { RunRoutes } from '../../shared/core/engine/routing/run-routes.ts'
import { RunDefinitions } from '../../shared/core/engine/runs/run-definition.ts'
import { RunStore } from '../../shared/core/engine/runs/run-store.ts'
import { openPictureSource } from '../../shared/core/pictures/picture-source.ts'
import { AwsConnections } from '../../shared/core/world/aws/aws-connections.ts'
import { awsCall } from '../../shared/core/world/aws/aws-error.ts'
import { InvokeCallHost } from '../../shared/core/world/aws/invoke-call-host.ts'
import { type AwsWorld, openAwsWorld } from '../../shared/core/world/aws/open-aws-world.ts'
import { RoutedQueue } from '../../shared/core/world/aws/routed-queue.ts'
import type { World } from '../../shared/core/world/ports.ts'
import { loadAddedEnvironments } from '../../shared/environments/added/load-added-environments.ts'
import { openEndpointDirectory } from '../../shared/play/models/endpoint-directory.ts'
import type { SecretReader } from '../../shared/play/models/keys/key-ring.ts'
import { loadEndpoints } from '../../shared/play/models/load-endpoints.ts'
import { type ModelPool, openModels } from '../../shared/play/models/model-pool.ts'
import { openSimulatedModels } from '../../shared/play/simulated/open-simulated-models.ts'
import { type EnvironmentServices, openEnvironmentServices } from '../wiring/open-environment-services.ts'
import { metrics } from './observe.ts'
import { once } from './once.ts'
import { readSettings, type Settings } from './settings.ts'
import { toWorldOptions } from './world-options.ts'

export interface FunctionServices extends EnvironmentServices {
  settings: Settings
  world: World
  models: ModelPool
  routes: RunRoutes | null
}

export const openFunctionServices = once(() =>
  openServicesOf(process.env, { serves: 'lambda', hosts: callerOf }),
)

export interface FunctionServicesOptions {
  serves: WorkerKind
  hosts: (settings: Settings, world: World) => HostCaller
}

export async function openServicesOf(
  environment: Readonly<Record<string, string | undefined>>,
  { serves, hosts }: FunctionServicesOptions,
): Promise<FunctionServices> {
  const settings = readSettings(environment)
  const { routes, world } = routeEpisodes(
    openAwsWorld({ ...toWorldOptions(settings), onRefusal: countRefusal }),
    serves,
  )
  const path = settings.ESPALIER_ENDPOINTS ?? join(import.meta.dirname, 'endpoints.json')
  const endpoints = await loadEndpoints({ path, environment, onlyKeyed: true })
  const models = openModels(endpoints, {
    simulated: openSimulatedModels,
    secrets: secretsWhenNeeded,
    rates: world,
    directory: openEndpointDirectory(world),
    network: 'public',
    pictures: openPictureSource(world.objects),
  })
  const added = await loadAddedEnvironments({ path: join(import.meta.dirname, 'environments.json') })
  const { ESPALIER_SCALE_HOSTS: scaler } = settings
  const calls = {
    hosts: hosts(settings, world),
    ...(scaler !== undefined && { callScaler: invokeScaleHosts(scaler) }),
  }
  return { settings, world, models, routes, ...openEnvironmentServices({ world, ...calls, added }) }
}

function routeEpisodes(world: AwsWorld, serves: WorkerKind): Pick<FunctionServices, 'world' | 'routes'> {
  const { lasting, queues } = world
  if (lasting === null) return { world, routes: null }
  const routes = new RunRoutes({
    world,
    store: new RunStore(world),
    definitions: new RunDefinitions(world.objects),
  })
  const byKind = { lambda: queues.episodes, fargate: lasting }
  const episodes = new RoutedQueue(byKind[serves], async (run) => byKind[await routes.of(run)])
  return { world: { ...world, queues: { ...queues, episodes } }, routes }
}

/** Counts requests that AWS throttles and then accepts: nothing else shows them, and an alarm watches their rate. */
function countRefusal(): void {
  metrics.addMetric('StorageRefusals', MetricUnit.Count, 1)
}

const openSecrets = once(async () =>
  (await import('../../shared/core/world/aws/secrets.ts')).openAwsSecrets(),
)

const secretsWhenNeeded: SecretReader = {
  secret: async (name) => (await openSecrets()).secret(name),
  parameter: async (name) => (await openSecrets()).parameter(name),
}

export function callerOf({
  ESPALIER_CALL_HOST,
  ESPALIER_HOST_CALLS,
}: Pick<Settings, 'ESPALIER_CALL_HOST' | 'ESPALIER_HOST_CALLS'>): HostCaller {
  if (ESPALIER_CALL_HOST !== undefined) return new InvokeCallHost(ESPALIER_CALL_HOST, ESPALIER_HOST_CALLS)
  return {
    call: () =>
      Promise.reject(new Error('This function plays nothing, so it was given no way to the hosts.')),
  }
}

function invokeScaleHosts(name: string, connections = new AwsConnections()): () => Promise<void> {
  let open: (() => LambdaClient) | null = null
  return async () => {
    // Loaded with the first call: most starts of functions call no host.
    const lambda = await import('@aws-sdk/client-lambda')
    open ??= connections.lazily((settings) => new lambda.LambdaClient(settings))
    const client = open()
    const call = {
      doing: 'call the scaler of hosts',
      resource: `the function "${name}"`,
      setting: 'ESPALIER_SCALE_HOSTS',
    }
    await awsCall(call, () =>
      client.send(new lambda.InvokeCommand({ FunctionName: name, InvocationType: 'Event' })),
    )
  }
}
