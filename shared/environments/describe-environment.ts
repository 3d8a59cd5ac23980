import type { EnvironmentInfo } from '../contracts/catalogue.ts'
import { isPure } from './environment.ts'
import type { OpenEnvironment } from './open-environments.ts'

/** An environment as the catalogue shows it. */
export function describeEnvironment({ environment, pack }: OpenEnvironment): EnvironmentInfo {
  const { id, description, snapshot, deterministic, success_threshold, default_max_steps } = environment
  const tasks = environment.tasks()
  const splits: Record<string, number> = {}
  for (const { split } of tasks) splits[split] = (splits[split] ?? 0) + 1
  return {
    id,
    object: 'environment',
    description,
    snapshot,
    deterministic,
    success_threshold,
    default_max_steps,
    splits,
    types: [...new Set(tasks.map(({ type }) => type))].sort(),
    hosting: isPure(environment) ? 'worker' : 'host',
    data: pack?.digest ?? null,
  }
}
