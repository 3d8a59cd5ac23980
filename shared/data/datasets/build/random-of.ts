import type { DatasetRequest } from '../../../core/contracts/dataset.ts'
import type { Random } from '../../../core/random/random.ts'
import { seededRandom } from '../../../core/random/seeded-random.ts'
import type { PlannedTask } from './plan.ts'

export function randomOf(
  { kind, seed }: Pick<DatasetRequest, 'kind' | 'seed'>,
  { environment, data, task }: PlannedTask,
  key: string,
): Random {
  return seededRandom('dataset', seed, kind, environment, data ?? '', task, key)
}
