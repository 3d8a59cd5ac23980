import { EspalierError } from '../../core/contracts/errors.ts'
import type { RunRequest } from '../../core/contracts/run.ts'
import type { LearningPlan } from '../../core/engine/runs/run-planner.ts'
import { seededRandom } from '../../core/random/seeded-random.ts'
import { sampled } from '../../core/random/shuffled.ts'
import type { EnvironmentFacts, EnvironmentTask } from '../../environments/environment.ts'
import { tasksById } from '../../environments/generate/find-task.ts'
import type { Sharing } from './method.ts'

const trainingSplit = 'train'

export function groupOf(
  { by }: NonNullable<Sharing['learning']>,
  environment: Pick<EnvironmentFacts, 'id'>,
  task: Pick<EnvironmentTask, 'type'>,
): string {
  return by === 'type' ? task.type : environment.id
}

/**
 * Plans the learning episodes of a run: one for each group among its tasks, in the order in which groups first
 * appear. If the run learns in each epoch, they repeat for each further epoch with the same tasks. Draws the tasks
 * from the split `train`, and never tasks that the run plays; or of these alone, if they are to count.
 *
 * @throws EspalierError `invalid_request` if a group has no task to learn from
 */
export function planLearning(
  environment: Pick<EnvironmentFacts, 'id' | 'tasks' | 'generators'>,
  tasks: readonly EnvironmentTask[],
  learning: NonNullable<Sharing['learning']>,
  { seed, epochs }: Pick<RunRequest, 'seed' | 'epochs'>,
): LearningPlan[] {
  const played = new Set(tasks.map(({ id }) => id))
  const counts = learning.counts === true
  const groups = [...new Set(tasks.map((task) => groupOf(learning, environment, task)))]
  const named = learning.ids === null ? null : new Set(learning.ids)
  const all = environment.tasks()
  for (const id of learning.ids ?? []) checkNamed(environment, counts ? new Set() : played, id)
  const drawnFrom = counts && named === null ? tasks : all
  const isDrawn = ({ id, split }: EnvironmentTask) => counts || (split === trainingSplit && !played.has(id))
  const generated = [...(named ?? [])].filter((id) => !all.some((task) => task.id === id))
  const known = tasksById(environment)
  const candidates = [
    ...drawnFrom.filter((task) => (named ? named.has(task.id) : isDrawn(task))),
    ...generated.map((id) => known.get(id) as EnvironmentTask),
  ]
  const plans = groups.map((group): LearningPlan => {
    const own = candidates.filter((task) => groupOf(learning, environment, task) === group)
    if (own.length === 0) {
      throw new EspalierError(
        'invalid_request',
        named
          ? `None of the tasks in train_ids is of the type "${group}", which this run plays. Name some, or narrow tasks.types.`
          : `${environment.id} has no task of the type "${group}" in its split "${trainingSplit}" to learn from. Name tasks in train_ids.`,
        { param: 'method.train_ids' },
      )
    }
    const drawn = named ? own : sampled(own, learning.tasks, seededRandom(seed, 'learning', group))
    return { group, tasks: drawn.map(({ id }) => id) }
  })
  const later = Array.from({ length: learning.eachEpoch ? epochs - 1 : 0 }, (_none, at) => at + 1)
  return [...plans, ...later.flatMap((epoch) => plans.map((plan) => ({ ...plan, epoch })))]
}

function checkNamed(
  environment: Pick<EnvironmentFacts, 'id' | 'tasks' | 'generators'>,
  played: ReadonlySet<string>,
  id: string,
): void {
  const param = 'method.train_ids'
  if (tasksById(environment).get(id) === undefined) {
    throw new EspalierError('invalid_request', `${environment.id} has no task "${id}".`, { param })
  }
  if (played.has(id)) {
    throw new EspalierError(
      'invalid_request',
      `The task "${id}" is to be learned from and played, so its result would prove nothing. Leave it out of train_ids or of tasks, or say test_on_trained.`,
      { param },
    )
  }
}
