import { z } from 'zod'
import type {
  EndpointInfo,
  EnvironmentInfo,
  GeneratorInfo,
  MethodInfo,
  TaskInfo,
} from '../../shared/core/contracts/catalogue.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { unknownName } from '../../shared/core/contracts/validation/nearest-name.ts'
import { type Environment, type EnvironmentTask, isHosted } from '../../shared/environments/environment.ts'
import type { EnvironmentDefinition } from '../../shared/environments/environment-definition.ts'
import { describeEnvironmentOptions } from '../../shared/environments/environment-options.ts'
import { findImage } from '../../shared/environments/images.ts'
import type { Environments, OpenEnvironment } from '../../shared/environments/open-environments.ts'
import { toEnvironmentInfo } from '../../shared/environments/to-environment-info.ts'
import type { Catalogue } from './api-services.ts'
import { pageOf } from './page-of.ts'

export interface CatalogueParts {
  environments: Environments
  /** Called once, by the first request that lists methods: it takes longer than the remaining start-up. */
  describeMethods: () => readonly MethodInfo[]
  endpoints(tenant: string): Promise<EndpointInfo[]>
}

export function openCatalogue({ environments, describeMethods, endpoints }: CatalogueParts): Catalogue {
  let methods: readonly MethodInfo[] | null = null
  return {
    environments: async () => (await environments.list()).map(describeEnvironment),
    environment: async (id, data) => describeEnvironment(await find(environments, id, data)),
    async tasks(id, { split, type, data, ...page }) {
      const found = await find(environments, id, data)
      const { splits, types } = describeEnvironment(found)
      refuseUnknown('split', split, Object.keys(splits))
      refuseUnknown('type', type, types)
      const tasks = found.environment
        .tasks()
        .filter(
          (task) =>
            (split === undefined || task.split === split) && (type === undefined || task.type === type),
        )
      return pageOf(tasks.map(toTaskInfo), page)
    },
    methods() {
      methods ??= describeMethods()
      return [...methods]
    },
    endpoints,
  }
}

/** @throws EspalierError `not_found`, because the id comes from an address */
async function find(environments: Environments, id: string, data?: string) {
  try {
    return await environments.open(id, data)
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'unknown_environment') throw error
    throw new EspalierError('not_found', error.message, { param: 'environment' })
  }
}

function refuseUnknown(name: string, value: string | undefined, known: string[]): void {
  if (value === undefined || known.includes(value)) return
  throw new EspalierError('invalid_request', unknownName(`There is no ${name}`, value, known), {
    param: name,
  })
}

function toTaskInfo(task: EnvironmentTask): TaskInfo {
  const { id, split, type, description, max_steps, min_steps, level, lacks } = task
  return {
    id,
    object: 'task',
    split,
    type,
    description,
    ...(max_steps !== undefined && { max_steps }),
    ...(min_steps !== undefined && { min_steps }),
    ...(level !== undefined && { level }),
    ...(lacks !== undefined && { lacks: [...lacks] }),
  }
}

export function describeEnvironment({ environment, pack, definition }: OpenEnvironment): EnvironmentInfo {
  const hosting = isHosted(environment) ? 'host' : 'worker'
  const options = describeEnvironmentOptions(definition)
  const generators = describeGenerators(definition)
  return {
    ...toEnvironmentInfo(environment),
    kind: kindOf(environment),
    tools: toolNames(environment),
    hosting,
    data: pack?.digest ?? null,
    options,
    ...(generators.length > 0 && { generators }),
  }
}

function kindOf(environment: Environment): EnvironmentInfo['kind'] {
  if (!isHosted(environment)) return 'text'
  const { host } = environment
  if (host.kind === 'image') return findImage(host.image)?.shows ?? 'text'
  return host.kind === 'mcp' || (host.kind === 'openenv' && host.actions.tools.length > 0) ? 'tools' : 'text'
}

function toolNames(environment: Environment): string[] {
  const [task] = environment.tasks()
  if (task === undefined) return []
  try {
    return environment.describe(task).tools?.map(({ name }) => name) ?? []
  } catch {
    // A faulty guide of one added environment fails its runs, not the list of all environments.
    return []
  }
}

function describeGenerators({ generators = [] }: EnvironmentDefinition): GeneratorInfo[] {
  const newest = new Map(
    generators.toSorted((one, other) => one.version - other.version).map((each) => [each.id, each]),
  )
  return [...newest.values()].map(({ id, version, description, bounds }) => {
    return { id, version, description, bounds: z.toJSONSchema(bounds, { io: 'input' }) as JsonObject }
  })
}
