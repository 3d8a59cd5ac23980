import type { Dataset } from '../../shared/core/contracts/dataset.ts'
import { countOf } from './count-of.ts'

export function describeSources({
  experts,
  runs,
  trajectories,
}: Pick<Dataset['request'], 'experts' | 'runs' | 'trajectories'>): string {
  return [count(runs, 'run'), count(trajectories, 'import'), count(experts, 'expert')]
    .filter((text) => text !== null)
    .join(', ')
}

function count(sources: readonly string[], name: string): string | null {
  if (sources.length === 0) return null
  return countOf(sources.length, name)
}
