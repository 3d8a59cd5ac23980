import { z } from 'zod'
import type { Learned } from '../../core/engine/runs/run-planner.ts'
import type { Sharing } from './method.ts'

export const trainingParameters = {
  train_tasks: z.int().min(1).max(100).default(3).describe('Number of tasks of each group to learn from.'),
  train_ids: z
    .array(z.string())
    .min(1)
    .max(1000)
    .optional()
    .describe('The tasks to learn from; by default drawn from the split `train`.'),
  train_steps: z
    .int()
    .min(1)
    .max(1000)
    .default(10)
    .describe('Maximum length of a trajectory at a task to learn from.'),
  learn_by: z
    .enum(['type', 'environment'])
    .default('type')
    .describe(
      'Groups of tasks to learn for: each type separately, or all tasks of the environment together.',
    ),
  learn_each_epoch: z
    .boolean()
    .default(false)
    .describe(
      'True to learn again in each epoch of the run, from the same tasks, as LearnAct’s repetitions do; false: once, for all epochs.',
    ),
  test_on_trained: z
    .boolean()
    .optional()
    .describe(
      'True to learn from tasks that the run also plays and counts, as LearnAct’s `--test_on_all` does; every report notes it. By default the run plays no task that it learns from.',
    ),
}

const schema = z.object(trainingParameters)

export function countTraining({
  train_ids,
  train_tasks,
}: Pick<z.infer<typeof schema>, 'train_ids' | 'train_tasks'>) {
  return train_ids?.length ?? train_tasks
}

export function learnFirst(writes: Learned, training: z.infer<typeof schema>): Sharing {
  const { learn_by, learn_each_epoch, test_on_trained = false, train_ids = null, train_tasks } = training
  const learning = {
    tasks: train_tasks,
    ids: train_ids,
    by: learn_by,
    eachEpoch: learn_each_epoch,
    counts: test_on_trained,
  }
  return { writes, reads: null, learning, roundSize: null, live: false }
}

export function knowEarlier(reads: NonNullable<Sharing['reads']>): Sharing {
  return { writes: null, reads, learning: null, roundSize: null, live: false }
}
