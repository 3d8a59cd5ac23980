import { EspalierError } from '../../core/contracts/errors.ts'
import type { EnvironmentGuide, EnvironmentTask } from '../environment.ts'
import type { TaskGenerator } from '../generate/task-generator.ts'
import type { Domain } from '../planning/parse-domain.ts'
import type { Problem } from '../planning/parse-problem.ts'
import type { PddlOptions } from './pddl-options.ts'

export interface PddlProblems {
  readonly description: string
  tasks(): readonly EnvironmentTask[]
  readonly generators?: readonly TaskGenerator<Problem>[]
  describe(task: EnvironmentTask, options: PddlOptions): EnvironmentGuide
  load(task: string): Promise<{ domain: Domain; problem: Problem }>
}

export function unknownTask(task: string): EspalierError {
  return new EspalierError('unknown_task', `pddl has no task "${task}". List its tasks to find their ids.`, {
    param: 'tasks.ids',
  })
}
