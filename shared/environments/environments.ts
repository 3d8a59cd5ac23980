import type { EnvironmentInfo } from '../contracts/catalogue.ts'
import { EspalierError } from '../contracts/errors.ts'
import type { PureEnvironment } from './environment.ts'
import { textcraft } from './textcraft/textcraft.ts'

/** The environments that are written here, by id. */
export const environments: Readonly<Record<string, PureEnvironment>> = Object.fromEntries(
  [textcraft].map((environment) => [environment.id, environment]),
)

/** @throws EspalierError `unknown_environment`, with the choices. */
export function findEnvironment(id: string): PureEnvironment {
  const environment = Object.hasOwn(environments, id) ? environments[id] : undefined
  if (environment) return environment
  const choices = Object.keys(environments).join(', ')
  throw new EspalierError(
    'unknown_environment',
    `There is no environment "${id}". Choose one of: ${choices}.`,
    {
      param: 'environment',
    },
  )
}

/** An environment as the catalogue shows it. */
export function describeEnvironment(environment: PureEnvironment): EnvironmentInfo {
  const { id, description, snapshot, deterministic, success_threshold, default_max_steps } = environment
  const tasks = environment.tasks()
  const splits: Record<string, number> = {}
  for (const { split } of tasks) splits[split] = (splits[split] ?? 0) + 1
  const types = [...new Set(tasks.map(({ type }) => type))].sort()
  return {
    id,
    object: 'environment',
    description,
    snapshot,
    deterministic,
    success_threshold,
    default_max_steps,
    splits,
    types,
  }
}
