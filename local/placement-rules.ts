import { endpointShares } from '../shared/core/contracts/endpoint-shares.ts'
import { EspalierError } from '../shared/core/contracts/errors.ts'
import type { RunRequest } from '../shared/core/contracts/run.ts'
import type { PlacementRules, RunNeeds } from '../shared/core/engine/placement/placement.ts'
import { isHosted } from '../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../shared/environments/environment-definition.ts'
import type { Environments, OpenEnvironment } from '../shared/environments/open-environments.ts'
import type { Methods } from '../shared/play/methods/methods.ts'
import type { ModelPool } from '../shared/play/models/model-pool.ts'

export interface PlacementFacts {
  environments: Pick<Environments, 'open'>
  added(): Promise<readonly EnvironmentDefinition[]>
  methods: Pick<Methods, 'moduleOf' | 'reachOf'>
  models: Pick<ModelPool, 'list' | 'refresh'>
}

export function placementRules({ added, environments, methods, models }: PlacementFacts): PlacementRules {
  let latest: readonly EnvironmentDefinition[] = []

  async function definitions(): Promise<readonly EnvironmentDefinition[]> {
    latest = await added().catch((error: unknown) => {
      if (EspalierError.isInstance(error)) return latest
      throw error
    })
    return latest
  }

  async function needsHost({ environment: id, data, environment_options: options, hosting }: RunRequest) {
    if (hosting === 'host') return true
    try {
      return answersHereAlone(await environments.open(id, data, options))
    } catch (error) {
      // The service reports an environment that cannot be opened.
      if (EspalierError.isInstance(error)) return true
      throw error
    }
  }

  return {
    async labelsInUse() {
      return (await definitions()).flatMap(({ labels = [] }) => labels)
    },
    async needsOf(request): Promise<RunNeeds> {
      const definition = (await definitions()).find(({ id }) => id === request.environment)
      await models.refresh(1000)
      const origins = new Map(models.list().map(({ id, origin }) => [id, origin]))
      const endpoints = endpointsOf(request)
      const method = request.method.id
      const isServed = endpoints.some((name) => origins.get(name) === 'served')
      return {
        labels: definition?.labels ?? [],
        service: isServed || methods.reachOf(method) !== undefined || (await needsHost(request)),
        endpoints: endpoints.map((name) => ({ name, isStored: origins.get(name) === 'api' })),
        environments: definition === undefined ? [] : [definition.id],
        methods: methods.moduleOf(method) === null ? [] : [method],
      }
    },
  }
}

/** True for hosts and processes of callers: those run on the service's machine, and answer there alone. */
function answersHereAlone({ environment }: OpenEnvironment): boolean {
  if (!isHosted(environment)) return false
  return environment.host.kind === 'image' || environment.host.kind === 'in-process'
}

function endpointsOf({ model, roles }: Pick<RunRequest, 'model' | 'roles'>): string[] {
  const named = [model.endpoint, ...Object.values(roles).flatMap((role) => role?.endpoint ?? [])]
  return [...new Set(named.flatMap((text) => endpointShares(text).map(({ endpoint }) => endpoint)))]
}
