import { z } from 'zod'
import type { EnvironmentInfo, GeneratorInfo } from '../core/contracts/catalogue.ts'
import type { JsonObject } from '../core/contracts/json.ts'
import { describeFacts } from './describe-facts.ts'
import { type Environment, isHosted } from './environment.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { describeEnvironmentOptions } from './environment-options.ts'
import { findImage } from './images.ts'
import type { OpenEnvironment } from './open-environments.ts'

export function describeEnvironment({ environment, pack, definition }: OpenEnvironment): EnvironmentInfo {
  const hosting = isHosted(environment) ? 'host' : 'worker'
  const options = describeEnvironmentOptions(definition)
  const generators = describeGenerators(definition)
  return {
    ...describeFacts(environment),
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
