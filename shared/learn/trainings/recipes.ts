import { z } from 'zod'
import type { DatasetKindId } from '../../core/contracts/dataset.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Hyperparameters, TrainingRecipe, TrainingRecipeInfo } from '../../core/contracts/training.ts'
import { describeInvalid } from '../../core/contracts/validation/describe-invalid.ts'
import type { TrainerHyperparameters } from './trainer.ts'

interface Recipe {
  id: TrainingRecipe
  description: string
  source: string
  kinds: readonly DatasetKindId[]
  hyperparameters: z.ZodType<JsonObject>
}

interface Defaults {
  learning_rate: number
  epochs: number
  batch_size: number
  micro_batch_size: number
  schedule: 'linear' | 'cosine' | 'constant' | 'constant_with_warmup'
  warmup: number
  max_length: number | null
}

function common(defaults: Defaults) {
  return {
    learning_rate: z.number().positive().max(10).default(defaults.learning_rate),
    epochs: z.number().positive().max(10_000).default(defaults.epochs),
    max_steps: z
      .int()
      .positive()
      .nullable()
      .default(null)
      .describe('Number of steps after which the training ends, regardless of `epochs`.'),
    batch_size: z
      .int()
      .positive()
      .default(defaults.batch_size)
      .describe('Number of rows of a step, over all devices and accumulated batches.'),
    micro_batch_size: z
      .int()
      .positive()
      .default(defaults.micro_batch_size)
      .describe(
        'Number of rows that a device processes at once. It affects memory and speed, not the result.',
      ),
    max_length: z
      .int()
      .min(8)
      .nullable()
      .default(defaults.max_length)
      .describe('Maximum number of tokens of a row; null: the context length of the base.'),
    long_rows: z
      .enum(['refuse', 'drop', 'truncate'])
      .default('refuse')
      .describe('Handling of rows longer than `max_length`.'),
    schedule: z
      .enum(['linear', 'cosine', 'constant', 'constant_with_warmup'])
      .default(defaults.schedule)
      .describe('Schedule of the learning rate after the warm-up.'),
    warmup: z
      .number()
      .min(0)
      .default(defaults.warmup)
      .describe('Number of steps in which the learning rate rises; below 1, a fraction of all steps.'),
    weight_decay: z.number().min(0).max(1).default(0),
    adam_beta2: z.number().gt(0).lt(1).default(0.999),
    max_grad_norm: z
      .number()
      .min(0)
      .default(1)
      .describe('Maximum gradient norm; larger gradients are scaled down. 0: no limit.'),
    precision: z
      .enum(['auto', 'fp32', 'bf16', 'bf16-weights'])
      .default('auto')
      .describe(
        '`bf16`: arithmetic in bfloat16 with weights in float32; `bf16-weights`: both in bfloat16, for half the memory; `auto`: `bf16` if the GPU supports it.',
      ),
    gradient_checkpointing: z
      .boolean()
      .default(false)
      .describe('True to recompute activations instead of storing them: less memory, about 20 % slower.'),
  }
}

const eto = 'ETO (Song et al. 2024, arXiv 2403.02502), run_eto.sh'
const dpoDefaults: Defaults = {
  learning_rate: 1e-6,
  epochs: 3,
  batch_size: 32,
  micro_batch_size: 2,
  schedule: 'constant_with_warmup',
  warmup: 0.1,
  max_length: 4096,
}
const pairLoss = z
  .enum(['answers', 'completion'])
  .default('answers')
  .describe(
    '`answers`: loss on the model’s turns only, as in ETO. `completion`: loss on all tokens after the prompt, observations too, as in TRL.',
  )
const divergence = z
  .number()
  .min(0)
  .default(0.04)
  .describe('Weight of the divergence from the initial model.')
const beta = z
  .number()
  .positive()
  .default(0.1)
  .describe('Strength with which the loss keeps the model close to its initial weights.')

export const trainingRecipes: readonly Recipe[] = [
  {
    id: 'sft',
    description: 'Imitates conversations: next-token loss on their answers.',
    source: `${eto}: its first stage. Agent-R trains so too, with rows of up to 8,192 tokens and, after its first round, one epoch.`,
    kinds: ['sft', 'revision', 'exploration'],
    hyperparameters: z.strictObject({
      ...common({
        learning_rate: 2e-5,
        epochs: 3,
        batch_size: 64,
        micro_batch_size: 4,
        schedule: 'cosine',
        warmup: 0.03,
        max_length: 4096,
      }),
      loss_on: z
        .enum(['answers', 'all'])
        .default('answers')
        .describe(
          '`all`: loss on prompts and observations too, which models with random initial weights need.',
        ),
      packing: z
        .boolean()
        .default(false)
        .describe('True to pack several rows into one sequence of `max_length`: faster if rows are short.'),
    }),
  },
  {
    id: 'dpo',
    description: 'Prefers the better of two answers (direct preference optimization).',
    source: `${eto}: its first iteration. Later ones use beta 0.5 and a learning rate of 5e-7.`,
    kinds: ['preference', 'step-preference'],
    hyperparameters: z.strictObject({
      ...common(dpoDefaults),
      loss_on: pairLoss,
      beta,
      label_smoothing: z.number().min(0).lt(0.5).default(0),
    }),
  },
  {
    id: 'rpo',
    description: 'As dpo, with the likelihood of the better answer added to the loss.',
    source:
      'Iterative Reasoning Preference Optimization (Pang et al. 2024, arXiv 2404.19733): alpha 1, beta 0.1, learning rate 7e-7, batches of 16.',
    kinds: ['preference', 'step-preference'],
    hyperparameters: z.strictObject({
      ...common({ ...dpoDefaults, learning_rate: 7e-7, batch_size: 16 }),
      loss_on: pairLoss,
      beta,
      alpha: z.number().positive().default(1).describe('Weight of the likelihood of the better answer.'),
      label_smoothing: z.number().min(0).lt(0.5).default(0),
    }),
  },
  {
    id: 'kto',
    description: 'Learns from single answers that are good or bad.',
    source:
      'KTO (Ethayarajh et al. 2024, arXiv 2402.01306): beta 0.1, learning rate 5e-7, batches of 32, one epoch.',
    kinds: ['unpaired'],
    hyperparameters: z.strictObject({
      ...common({ ...dpoDefaults, learning_rate: 5e-7, epochs: 1 }),
      loss_on: pairLoss,
      beta,
      desirable_weight: z.number().positive().default(1),
      undesirable_weight: z.number().positive().default(1),
      micro_batch_size: z
        .int()
        .min(2)
        .default(2)
        .describe('At least 2: the reference point is estimated from the neighbours within a batch.'),
    }),
  },
  {
    id: 'prm',
    description: 'Judges each step of a path: a classifier of steps, which no longer writes text.',
    source: 'TRL’s defaults for process reward models (Uesato et al. 2022, arXiv 2211.14275).',
    kinds: ['process-reward'],
    hyperparameters: z.strictObject({
      ...common({
        learning_rate: 1e-5,
        epochs: 3,
        batch_size: 8,
        micro_batch_size: 2,
        schedule: 'linear',
        warmup: 0,
        max_length: 4096,
      }),
    }),
  },
  {
    id: 'grpo',
    description:
      'Improves its own answers by a reward (group relative policy optimization). It trains one turn: the answer to a prompt, which a Python function rewards. No environment is played.',
    source:
      'DeepSeekMath (Shao et al. 2024, arXiv 2402.03300): groups of 64, batches of 1,024 answers, learning rate 1e-6, beta 0.04, answers of up to 1,024 tokens.',
    kinds: ['prompts'],
    hyperparameters: z.strictObject({
      ...common({
        ...dpoDefaults,
        epochs: 1,
        batch_size: 1024,
        micro_batch_size: 8,
        schedule: 'constant',
        warmup: 0,
        max_length: null,
      }),
      beta: divergence,
      group_size: z.int().min(2).default(64).describe('Number of answers to each prompt.'),
      max_completion_length: z.int().positive().default(1024),
      temperature: z.number().positive().default(1),
      reward: z
        .strictObject({
          file: z.string().min(1).describe('A Python file on the trainer’s machine.'),
          function: z.string().min(1).default('reward'),
        })
        .nullable()
        .default(null)
        .describe(
          'Python reward function: `(prompts, completions, reference, **) -> list of numbers`, one for each answer.',
        ),
    }),
  },
  {
    id: 'policy-gradient',
    description:
      'Learns from played rollouts by their advantages: GRPO’s clipped loss on the agent’s own tokens. Nothing is generated.',
    source:
      'DeepSeekMath (Shao et al. 2024, arXiv 2402.03300): learning rate 1e-6, beta 0.04, one update of each answer; clip 0.2 as in PPO (arXiv 1707.06347). Batches of 64 are an own choice.',
    kinds: ['rollouts'],
    hyperparameters: z.strictObject({
      ...common({
        ...dpoDefaults,
        epochs: 1,
        batch_size: 64,
        schedule: 'constant',
        warmup: 0,
        max_length: null,
      }),
      beta: divergence,
      clip: z
        .number()
        .positive()
        .lt(1)
        .default(0.2)
        .describe(
          'Clip range: relative change of a token’s probability since play beyond which it has no gradient.',
        ),
      entropy: z.number().min(0).default(0).describe('Weight of the entropy bonus.'),
      loss: z
        .enum(['grpo', 'bnpo', 'dr_grpo'])
        .default('grpo')
        .describe(
          'Averaging of the token loss: per row, then over rows (`grpo`); over the batch (`bnpo`); or with `max_length` instead of the rows’ lengths (`dr_grpo`).',
        ),
    }),
  },
]

export function findTrainingRecipe(id: TrainingRecipe): Recipe {
  const recipe = trainingRecipes.find((each) => each.id === id)
  if (recipe === undefined) throw new Error(`There is no recipe ${id}.`)
  return recipe
}

/**
 * Resolves the recipe's hyperparameters with every default.
 * @param own - those of the trainer, which replace the recipe's
 * @throws EspalierError `invalid_request` or `unknown_field`, naming the field; also for `grpo` without a reward
 */
export function resolveHyperparameters(
  id: TrainingRecipe,
  given: JsonObject,
  own: TrainerHyperparameters | null = null,
): Hyperparameters {
  const refused = Object.keys(given).find((name) => own !== null && name in own.refused)
  if (refused !== undefined) throw invalid(refused, own?.refused[refused] ?? '')
  const schema = own?.schema ?? findTrainingRecipe(id).hyperparameters
  const parsed = schema.safeParse(given)
  if (!parsed.success) {
    throw describeInvalid(parsed.error, { part: 'json', schema, value: given, at: ['hyperparameters'] })
  }
  if (own !== null) return parsed.data
  const { batch_size, micro_batch_size, group_size, reward } = parsed.data
  if (Number(batch_size) % Number(micro_batch_size) !== 0) {
    throw invalid(
      'batch_size',
      `It is ${batch_size}, and must be a multiple of hyperparameters.micro_batch_size, which is ${micro_batch_size}.`,
    )
  }
  if (id !== 'grpo') return parsed.data
  if (reward === null) {
    throw invalid(
      'reward',
      'The recipe grpo needs a reward: name a Python file with a function, {"file": "/path/reward.py", "function": "reward"}.',
    )
  }
  if (Number(batch_size) % Number(group_size) !== 0) {
    throw invalid(
      'batch_size',
      `It must be a multiple of hyperparameters.group_size, which is ${group_size}.`,
    )
  }
  return parsed.data
}

function invalid(name: string, message: string): EspalierError {
  return new EspalierError('invalid_request', message, { param: `hyperparameters.${name}` })
}

export function describeRecipes(): TrainingRecipeInfo[] {
  return trainingRecipes.map(({ id, description, source, kinds, hyperparameters }) => ({
    id,
    object: 'training_recipe',
    description,
    source,
    kinds: [...kinds],
    hyperparameters: z.toJSONSchema(hyperparameters, { io: 'input' }) as JsonObject,
  }))
}
