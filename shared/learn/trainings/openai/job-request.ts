import type { JobCreateParams } from 'openai/resources/fine-tuning'
import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { TrainingRecipe } from '../../../core/contracts/training.ts'
import type { AskedTrainerJob, TrainerHyperparameters, TrainerJob } from '../trainer.ts'
import { jobMarks } from './api-shapes.ts'
import type { OpenAiTrainerConfiguration } from './openai-configuration.ts'

const positiveOrNull = z.number().positive().nullable().default(null)

const common = {
  epochs: z.int().min(1).max(50).default(3).describe('Number of epochs.'),
  batch_size: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .describe('Number of rows of a step; null: the service’s default.'),
  learning_rate_multiplier: positiveOrNull.describe(
    'Factor on the learning rate of the service; null: the service’s default.',
  ),
  learning_rate: positiveOrNull.describe(
    'Learning rate instead of the multiplier; trainers.json must state the learning rate for a multiplier of 1.',
  ),
}

const schemas = {
  sft: z.strictObject(common),
  dpo: z.strictObject({
    ...common,
    beta: z
      .number()
      .positive()
      .max(2)
      .default(0.1)
      .describe('Strength with which the loss keeps the model close to its initial weights.'),
  }),
}

const decided = 'The service decides it: leave it out.'
const long =
  'The service has limits of its own: keep rows short with max_tokens of the dataset, and leave it out.'
const refused: Record<string, string> = {
  max_steps:
    'The service trains whole epochs: say epochs. A loop asks for steps only for its control, so leave that out.',
  micro_batch_size: decided,
  max_length: long,
  long_rows: long,
  schedule: decided,
  warmup: decided,
  weight_decay: decided,
  adam_beta2: decided,
  max_grad_norm: decided,
  precision: decided,
  gradient_checkpointing: decided,
  packing: decided,
  loss_on: 'The service learns from answers alone: leave it out.',
  label_smoothing: 'The service has no such field: leave it out, or train with another trainer.',
}

export function openAiHyperparameters(recipe: TrainingRecipe): TrainerHyperparameters {
  return { schema: recipe === 'dpo' ? schemas.dpo : schemas.sft, refused }
}

export function describeHyperparameters(recipe: TrainingRecipe): JsonObject {
  return z.toJSONSchema(openAiHyperparameters(recipe).schema, { io: 'input' }) as JsonObject
}

/**
 * Checks that the API has a field for each setting.
 * @throws EspalierError `invalid_request`, naming the field and the remedy
 */
export function checkJob(job: AskedTrainerJob, configuration: OpenAiTrainerConfiguration): void {
  const { base, checkpointSteps, data, hyperparameters, lora } = job
  const invalid = (param: string, message: string) => {
    throw new EspalierError('invalid_request', message, { param })
  }
  if ('folder' in base)
    invalid(
      'base.folder',
      'The service trains models that it keeps: name one as {"hub": "gpt-4.1-nano-2025-04-14"}.',
    )
  else if (base.revision !== undefined)
    invalid('base.revision', 'The service names each version of a model: leave the revision out.')
  if (lora !== null) invalid('lora', 'The service decides how weights are changed: leave lora out.')
  if (checkpointSteps !== null)
    invalid('checkpoint_steps', 'The service decides when it keeps a checkpoint: leave it out.')
  const shared = data.findIndex(({ share }) => share !== null)
  if (shared !== -1)
    invalid(`datasets[${shared}].share`, 'The service mixes no files: build one dataset that mixes them.')
  if (hyperparameters.learning_rate === null) return
  const param = 'hyperparameters.learning_rate'
  if (hyperparameters.learning_rate_multiplier !== null)
    invalid(param, 'Give learning_rate or learning_rate_multiplier, not both.')
  if (configuration.learning_rate === undefined)
    invalid(
      param,
      'The service scales a learning rate of its own: say learning_rate_multiplier, or state in trainers.json, as learning_rate, what a multiplier of 1 stands for.',
    )
}

export function jobRequest(
  job: TrainerJob,
  { configuration, file, start }: { configuration: OpenAiTrainerConfiguration; file: string; start: number },
): JobCreateParams {
  const { base, hyperparameters, recipe, seed, training } = job
  const { batch_size, beta, epochs, learning_rate, learning_rate_multiplier } = hyperparameters
  const scale =
    typeof learning_rate === 'number' && configuration.learning_rate !== undefined
      ? learning_rate / configuration.learning_rate
      : learning_rate_multiplier
  const given = {
    n_epochs: Number(epochs),
    ...(typeof batch_size === 'number' && { batch_size }),
    ...(typeof scale === 'number' && { learning_rate_multiplier: scale }),
  }
  return {
    model: 'hub' in base ? base.hub : base.folder,
    training_file: file,
    seed,
    ...(configuration.suffix !== undefined && { suffix: configuration.suffix }),
    metadata: { [jobMarks.training]: training, [jobMarks.start]: String(start) },
    method:
      recipe === 'dpo'
        ? { type: 'dpo', dpo: { hyperparameters: { ...given, beta: Number(beta) } } }
        : { type: 'supervised', supervised: { hyperparameters: given } },
  }
}
