import { z } from 'zod'
import { isolationLimits } from '../../core/contracts/catalogue.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { DataPack } from '../data-pack.ts'
import { type EnvironmentFacts, isPure, type PureEnvironment } from '../environment.ts'
import type { EnvironmentDefinition } from '../environment-definition.ts'
import { type IsolationLimits, isolateModule } from './isolate-module.ts'
import { readModule } from './read-module.ts'

export type ModuleLimits = Readonly<Record<string, Partial<IsolationLimits>>>

const limitsSchema = z.object(isolationLimits)

/**
 * Loads the environments that a module exports. Their rules run in separate processes, never on the caller's thread.
 * Descriptions, tasks and guides load in this process.
 * @param file an absolute path
 * @param limits of its environments, by id, in addition to each one's own
 * @param where names the file in messages. @default the path
 * @throws EspalierError `invalid_request` when it cannot be loaded, or exports none
 */
export async function loadModule(
  file: string,
  limits: ModuleLimits = {},
  where: string = file,
): Promise<EnvironmentDefinition[]> {
  return (await readModule(file, where)).map((definition) =>
    isolateDefinition(definition, file, limits[definition.id] ?? {}),
  )
}

function isolateDefinition(
  definition: EnvironmentDefinition,
  file: string,
  limits: Partial<IsolationLimits>,
): EnvironmentDefinition {
  const { id, data, pack: format, packsOf, options: schema, scorer } = definition
  return {
    id,
    ...(data && { data }),
    ...(format && { pack: format }),
    ...(packsOf !== undefined && { packsOf }),
    ...(schema && { options: schema }),
    ...(scorer !== undefined && { scorer }),
    async open(pack: DataPack | null, options?: JsonObject) {
      const environment = await definition.open(pack, options)
      if (!isPure(environment)) return environment
      const declared = readLimits(environment, file)
      return isolateModule(environment, {
        file,
        pack,
        options: options ?? null,
        limits: { step_time_limit: 30, memory_limit_mb: 512, ...declared, ...limits },
      })
    },
  }
}

function readLimits(environment: PureEnvironment, file: string): Partial<IsolationLimits> {
  const parsed = limitsSchema.safeParse(pickLimits(environment as EnvironmentFacts))
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new EspalierError(
    'invalid_request',
    `${file}: ${environment.id}: ${issue?.path.join('.')}: ${issue?.message}`,
  )
}

function pickLimits({ step_time_limit, memory_limit_mb }: EnvironmentFacts): Partial<IsolationLimits> {
  return {
    ...(step_time_limit !== undefined && { step_time_limit }),
    ...(memory_limit_mb !== undefined && { memory_limit_mb }),
  }
}
