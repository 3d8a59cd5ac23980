import type { JsonObject } from '../../shared/core/contracts/json.ts'
import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import type { DemoWorld } from './demo-worlds.ts'
import type { DemoSizes } from './sizes.ts'

const method = { id: 'act' }

export function expertRequest(world: DemoWorld, sizes: DemoSizes): RunRequestInput {
  return {
    name: 'expert',
    environment: world.environment,
    tasks: world.tasks('train', sizes.expertTasks),
    method,
    model: { endpoint: 'expert', id: 'expert' },
    prompts: { act: world.prompt },
    episode_limits: { steps: world.maxSteps },
  }
}

export function pairExpertRequest(world: DemoWorld, sizes: DemoSizes): RunRequestInput {
  return { ...expertRequest(world, sizes), name: 'expert for pairs', tasks: pairTasks(world, sizes) }
}

function pairTasks(world: DemoWorld, { expertTasks, trainTasks, pairTasks: count }: DemoSizes) {
  const range: [number, number] = [expertTasks, expertTasks + count]
  return { ...world.tasks('train', trainTasks), range }
}

export function noviceRequest(world: DemoWorld, sizes: DemoSizes): RunRequestInput {
  const tasks = world.tasks('train', sizes.noviceTasks)
  return {
    ...expertRequest(world, sizes),
    name: 'novice',
    tasks,
    model: { endpoint: 'novice', id: 'novice' },
  }
}

const shared = {
  max_length: 1024,
  warmup: 50,
  schedule: 'linear',
  adam_beta2: 0.99,
}
/** The steps end a training, not the passes. */
const epochs = 10_000

/** Of a model with random initial weights: all tokens are learned, at a high rate. */
export function imitation(world: DemoWorld, steps: number): JsonObject {
  return { ...imitating(world, steps), learning_rate: world.learningRate, epochs }
}

function imitating({ batchSize }: DemoWorld, steps: number): JsonObject {
  return {
    ...shared,
    batch_size: batchSize,
    micro_batch_size: batchSize,
    loss_on: 'all',
    max_steps: steps,
  }
}

function commonOf(world: DemoWorld, sizes: DemoSizes, seed: number) {
  return {
    environment: world.environment,
    tasks: {
      train: world.tasks('train', sizes.trainTasks),
      test: world.tasks('test', sizes.testTasks),
    },
    // No action has a full stop: it stops a model that continues with an invented observation.
    model: { max_tokens: 24, max_prompt_tokens: 960, stop: ['.'] },
    max_parallel: 16,
    // A model of this size errs by a wrong action, which is an outcome. A retry gains nothing.
    max_retries: 0,
    patience: null,
    episode_limits: { steps: world.maxSteps },
    seed,
  } satisfies Partial<LoopRequestInput>
}

export function rejectionRequest(
  world: DemoWorld,
  sizes: DemoSizes,
  { seed, base, expert }: { seed: number; base: string; expert: string },
): LoopRequestInput {
  return {
    ...commonOf(world, sizes, seed),
    name: `rft, seed ${seed}`,
    recipe: 'rft',
    base: { folder: base },
    experts: [expert],
    control: true,
    settings: {
      rounds: 1,
      warm_start: 'sft',
      start_from: 'previous',
      method,
      evaluation_method: method,
      prompts: { act: world.prompt },
      samples: sizes.samples,
      temperature: 1,
      epochs,
      learning_rate: world.learningRate,
      warm_start_hyperparameters: imitation(world, sizes.cloneSteps),
      hyperparameters: imitating(world, sizes.roundSteps),
    },
  }
}

const pairBatches = { batch_size: 4, micro_batch_size: 4 }

/** `answers` learns the agent's turns alone, as ETO does; `completion` the observations too, as TRL does. */
export type PairLoss = 'answers' | 'completion'

export function trialRequest(
  world: DemoWorld,
  sizes: DemoSizes,
  { seed, clone, expert, lossOn }: { seed: number; clone: string; expert: string; lossOn: PairLoss },
): LoopRequestInput {
  return {
    ...commonOf(world, sizes, seed),
    name: `eto on ${lossOn}, seed ${seed}`,
    recipe: 'eto',
    base: { registered: clone },
    experts: [expert],
    tasks: {
      train: pairTasks(world, sizes),
      test: world.tasks('test', sizes.testTasks),
    },
    settings: {
      rounds: 1,
      warm_start: 'none',
      method,
      evaluation_method: method,
      prompts: { act: world.prompt },
      samples: 4,
      temperature: 1,
      learning_rate: 1e-4,
      dpo_beta: 0.1,
      epochs,
      hyperparameters: { ...shared, ...pairBatches, max_steps: sizes.pairSteps, loss_on: lossOn },
    },
  }
}
