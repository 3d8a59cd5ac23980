import { z } from 'zod'
import type { EnvironmentInfo, GeneratorInfo } from '../core/contracts/catalogue.ts'
import type { JsonObject } from '../core/contracts/json.ts'
import { describeFacts } from './describe-facts.ts'
import { isHosted } from './environment.ts'
import type { EnvironmentDefinition } from './environment-definition.ts'
import { describeEnvironmentOptions } from './environment-options.ts'
import type { OpenEnvironment } from './open-environments.ts'

export function describeEnvironment({ environment, pack, definition }: OpenEnvironment): EnvironmentInfo {
  const hosting = isHosted(environment) ? 'host' : 'worker'
  const options = describeEnvironmentOptions(definition)
  const generators = describeGenerators(definition)
  return {
    ...describeFacts(environment),
    hosting,
    data: pack?.digest ?? null,
    options,
    ...(generators.length > 0 && { generators }),
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
