import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { DemoWorld } from '../demo-loop/demo-worlds.ts'
import { imitation } from '../demo-loop/requests.ts'

export interface RlSizes {
  /** Those that the expert shows are not among them: a clone has them by heart, so its answers do not vary. */
  trainTasks: number
  rounds: number
  /** Input and output tokens of a round for each training task: the same for chains and trees. */
  tokenBudget: number
}

/** Minutes of the usual sizes for a seed in one environment, on two otherwise idle cores. */
export const usualRlMinutes = 25

export const usualRlSizes: RlSizes = {
  trainTasks: 200,
  rounds: 3,
  tokenBudget: 12_000,
}

export function rlSizesFor(minutes: number): RlSizes {
  const trainTasks = Math.max(1, Math.round((usualRlSizes.trainTasks * minutes) / usualRlMinutes))
  return { ...usualRlSizes, trainTasks }
}

export function teacherRequest(
  { environment, maxSteps, prompt, sizes, tasks }: DemoWorld,
  endpoint: 'expert' | 'novice',
): RunRequestInput {
  const count = endpoint === 'expert' ? sizes.expertTasks : sizes.noviceTasks
  return {
    name: `${environment}: ${endpoint}`,
    environment,
    tasks: tasks('train', count),
    method: { id: 'act', max_steps: maxSteps },
    model: { endpoint, id: endpoint },
    prompts: { act: prompt },
  }
}

const unbounded = 64

export const arms = {
  grpo: { samples: 1, chains: unbounded, forks: 0 },
  'tree-grpo': { samples: 2, chains: 1, forks: unbounded },
} as const

export type Arm = keyof typeof arms

export interface ArmNeeds {
  seed: number
  base: LoopRequestInput['base']
  expert?: string
}

export function armRequest(
  world: DemoWorld,
  sizes: RlSizes,
  arm: Arm,
  { base, expert, seed }: ArmNeeds,
): LoopRequestInput {
  const { environment, maxSteps, prompt, reinforcement, tasks } = world
  const { samples, ...branches } = arms[arm]
  const { cloneSteps, expertTasks, testTasks } = world.sizes
  const all = expertTasks + sizes.trainTasks
  return {
    name: `${environment}: ${arm}, seed ${seed}`,
    recipe: arm,
    environment,
    base,
    experts: expert === undefined ? [] : [expert],
    tasks: {
      train: { ...tasks('train', all), range: [expertTasks, all] },
      test: tasks('test', testTasks),
    },
    // Without a stop word: llama.cpp states no log-probability of its tokens, so no row would teach against it.
    model: { max_tokens: 32, max_prompt_tokens: 960 },
    max_parallel: 16,
    // A model of this size errs by a wrong action, which is an outcome. A retry gains nothing.
    max_retries: 0,
    patience: null,
    seed,
    settings: {
      ...(expert === undefined
        ? { warm_start: 'none' }
        : { warm_start: 'sft', warm_start_hyperparameters: imitation(world, cloneSteps) }),
      rounds: sizes.rounds,
      method: { id: 'fork-rollouts', agent: 'act', fork_by: 'random', max_steps: maxSteps, ...branches },
      samples,
      token_budget: sizes.tokenBudget,
      prompts: { act: prompt },
      evaluation_method: { id: 'act', max_steps: maxSteps },
      evaluation_prompts: { act: prompt },
      learning_rate: reinforcement.learningRate,
      epochs: reinforcement.epochs,
      hyperparameters: {
        batch_size: 32,
        micro_batch_size: 16,
        max_length: 1024,
        long_rows: 'drop',
        adam_beta2: 0.99,
        beta: 0.01,
      },
    },
  }
}
