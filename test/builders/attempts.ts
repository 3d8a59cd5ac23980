import type { Tree } from '../../shared/core/contracts/tree.ts'
import type { Attempt, TaskGroup } from '../../shared/data/datasets/attempt.ts'

/** A tree as a dataset reads it: an attempt of a run at a training task, with the reward of its answer. */
export function attemptOf(tree: Tree, rest: Partial<Attempt> = {}): Attempt {
  const reward = tree.nodes[tree.best]?.reward ?? 0
  const success = rest.success ?? (rest.reward === undefined ? reward : (rest.reward ?? 0)) >= 1
  return {
    source: 'run-1',
    episode: 'e1',
    attempt: 1,
    environment: tree.environment,
    data: null,
    task: tree.task,
    task_split: 'train',
    method: tree.method,
    model: 'simulated/gardener',
    status: success ? 'succeeded' : 'failed',
    reward,
    success,
    seed: 0,
    tree: async () => tree,
    journal: async () => [],
    tokens: async () => [],
    annotation: async () => null,
    ...rest,
  }
}

/** Attempts at one task, named in their order. */
export function attemptsOf(trees: readonly Tree[], source = 'run-1'): Attempt[] {
  return trees.map((tree, place) => attemptOf(tree, { source, episode: `e${place}` }))
}

export function groupOf(attempts: readonly Attempt[], experts: readonly Attempt[] = []): TaskGroup {
  return { environment: 'textcraft', data: null, task: 'stick', attempts, experts }
}
