import type { LoopRequestInput } from '../../shared/core/contracts/loop.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { type DemoSizes, gripperTasks } from './sizes.ts'

/** Short, because a model of this size reads every token of it in each row. */
const prompts = {
  act: 'Move the balls. Answer with one action and nothing else, in this form:\nAction: <the one thing you do>',
}
const method = { id: 'act' }
const episode_limits = { steps: 10 }
const environment = 'pddl'

export function expertRequest(sizes: DemoSizes): RunRequestInput {
  return {
    name: 'expert',
    environment,
    tasks: gripperTasks(sizes, 'train', sizes.expertTasks),
    method,
    model: { endpoint: 'expert', id: 'expert' },
    prompts,
    episode_limits,
  }
}

export function pairExpertRequest(sizes: DemoSizes): RunRequestInput {
  return { ...expertRequest(sizes), name: 'expert for pairs', tasks: pairTasks(sizes) }
}

function pairTasks(sizes: DemoSizes) {
  const { expertTasks, trainTasks, pairTasks: count } = sizes
  const range: [number, number] = [expertTasks, expertTasks + count]
  return { ...gripperTasks(sizes, 'train', trainTasks), range }
}

export function noviceRequest(sizes: DemoSizes): RunRequestInput {
  return { ...expertRequest(sizes), name: 'novice', model: { endpoint: 'novice', id: 'novice' } }
}

const shared = {
  batch_size: 16,
  micro_batch_size: 16,
  max_length: 1024,
  warmup: 50,
  schedule: 'linear',
  adam_beta2: 0.99,
}
/** For a model with random initial weights: all tokens are learned, at a high rate. */
const imitation = { ...shared, loss_on: 'all' }
const rate = 4e-3
const epochs = 10_000

function commonOf(sizes: DemoSizes, seed: number) {
  return {
    environment,
    tasks: {
      train: gripperTasks(sizes, 'train', sizes.trainTasks),
      test: gripperTasks(sizes, 'test', sizes.testTasks),
    },
    // No action has a full stop: it stops a model that continues with an invented observation.
    model: { max_tokens: 24, max_prompt_tokens: 960, stop: ['.'] },
    max_parallel: 16,
    // A model of this size errs by a wrong action, which is an outcome. A retry gains nothing.
    max_retries: 0,
    patience: null,
    episode_limits,
    seed,
  } satisfies Partial<LoopRequestInput>
}

export function rejectionRequest(
  sizes: DemoSizes,
  { seed, base, expert }: { seed: number; base: string; expert: string },
): LoopRequestInput {
  return {
    ...commonOf(sizes, seed),
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
      prompts,
      samples: sizes.samples,
      temperature: 1,
      epochs,
      learning_rate: rate,
      warm_start_hyperparameters: {
        ...imitation,
        learning_rate: rate,
        epochs,
        max_steps: sizes.cloneSteps,
      },
      hyperparameters: { ...imitation, max_steps: sizes.roundSteps },
    },
  }
}

export function trialRequest(
  sizes: DemoSizes,
  { seed, model, expert }: { seed: number; model: string; expert: string },
): LoopRequestInput {
  return {
    ...commonOf(sizes, seed),
    name: `eto, seed ${seed}`,
    recipe: 'eto',
    base: { registered: model },
    experts: [expert],
    tasks: {
      train: pairTasks(sizes),
      test: gripperTasks(sizes, 'test', sizes.testTasks),
    },
    settings: {
      rounds: 1,
      warm_start: 'none',
      method,
      evaluation_method: method,
      prompts,
      samples: 4,
      temperature: 1,
      learning_rate: 1e-4,
      dpo_beta: 0.1,
      epochs,
      hyperparameters: { ...shared, max_steps: sizes.pairSteps },
    },
  }
}
