import type { EnvironmentInfo } from '../core/contracts/catalogue.ts'
import type { EnvironmentFacts } from './environment.ts'

export function toEnvironmentInfo(
  facts: EnvironmentFacts,
): Omit<EnvironmentInfo, 'hosting' | 'data' | 'options' | 'generators' | 'kind' | 'tools'> {
  const { id, description, snapshot, deterministic, success_threshold, default_max_steps } = facts
  const { asks, reward_range, max_observation_bytes, step_time_limit, memory_limit_mb } = facts
  const tasks = facts.tasks()
  const splits = new Map<string, number>()
  for (const { split } of tasks) splits.set(split, (splits.get(split) ?? 0) + 1)
  return {
    id,
    object: 'environment',
    description,
    snapshot,
    deterministic,
    success_threshold,
    default_max_steps,
    ...(reward_range && { reward_range: [...reward_range] as [number, number] }),
    ...(max_observation_bytes !== undefined && { max_observation_bytes }),
    ...(step_time_limit !== undefined && { step_time_limit }),
    ...(memory_limit_mb !== undefined && { memory_limit_mb }),
    splits: Object.fromEntries(splits),
    ...(asks && { roles: [...asks] }),
    types: [...new Set(tasks.map(({ type }) => type))].sort(),
  }
}
