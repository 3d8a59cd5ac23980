import { parse } from 'yaml'
import { z } from 'zod'
import type { DatasetKindId } from '../../../../core/contracts/dataset.ts'
import { EspalierError } from '../../../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../../../core/contracts/json.ts'
import { axolotl } from '../../../../data/formats/axolotl.ts'
import { transformersLines } from '../tool-lines.ts'
import {
  HyperparameterReader,
  nameOfBase,
  pythonYaml,
  refuseShares,
  type TemplateJob,
  type TrainerTemplate,
  targetsOf,
  withSettings,
} from './template.ts'

const title = 'axolotl'

/**
 * axolotl: `axolotl train` with one YAML (axolotl-ai-cloud/axolotl 0.19.0, utils/schemas). The data is described as the format's
 * own `axolotl.yml` describes it.
 */
export const axolotlTemplate: TrainerTemplate = {
  name: 'axolotl',
  title,
  program: 'axolotl',
  recipes: ['sft', 'dpo'],
  formats: ['axolotl'],
  lines: transformersLines,
  write(job) {
    const { places, program, devices } = job
    refuseShares(job, title)
    const { name, revision } = nameOfBase(job)
    const ours: JsonObject = {
      base_model: name,
      ...(revision !== null && { revision_of_model: revision }),
      ...dataOf(job),
      dataset_prepared_path: `${places.work}/prepared`,
      ...tuning(job),
      ...hyperparametersOf(job),
      seed: job.seed,
      output_dir: places.output,
      logging_steps: 1,
      save_strategy: 'steps',
      save_steps: job.checkpointSteps ?? 0.1,
      save_total_limit: job.keepCheckpoints,
      save_only_model: false,
      ...(places.resume !== null && { resume_from_checkpoint: places.resume }),
    }
    const file = `${places.work}/axolotl.yml`
    // Fix the number of processes: transformers' Trainer would spread a batch over all visible GPUs.
    const launched = ['--launcher', 'accelerate', '--', '--num_processes', String(devices)]
    return {
      files: { 'axolotl.yml': pythonYaml(withSettings(ours, job, title)) },
      commands: [
        [program, 'train', file, ...launched],
        ...(job.lora?.merge === true ? [[program, 'merge-lora', file]] : []),
      ],
      environment: { AXOLOTL_DO_NOT_TRACK: '1' },
    }
  },
}

const describedSchema = z.looseObject({ datasets: z.array(jsonObjectSchema) })

function dataOf({ data, places }: TemplateJob): JsonObject {
  const settings: JsonObject = {}
  const sources: JsonObject[] = []
  for (const { kind, names } of data) {
    const facts = { kind: kind as DatasetKindId, title: 'data', files: { train: names }, rows: 0 }
    for (const { text } of axolotl.companions(facts)) {
      const { datasets, ...rest } = describedSchema.parse(parse(text))
      Object.assign(settings, rest)
      sources.push(...datasets.map((each) => ({ ...each, path: places.data })))
    }
  }
  return { ...settings, datasets: sources }
}

function tuning({ lora }: TemplateJob): JsonObject {
  if (lora === null) return {}
  if (!Number.isInteger(lora.alpha)) {
    throw new EspalierError('invalid_request', 'axolotl takes whole numbers.', { param: 'lora.alpha' })
  }
  const targets = targetsOf(lora)
  return {
    adapter: 'lora',
    lora_r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: lora.dropout,
    ...(targets === 'all' ? { lora_target_linear: true } : { lora_target_modules: targets }),
  }
}

function hyperparametersOf(job: TemplateJob): JsonObject {
  const { recipe, devices } = job
  const reader = new HyperparameterReader(job, title)
  const { micro, accumulated } = reader.batches(devices)
  const long = reader.take('long_rows')
  const steps = reader.take('max_steps')
  const warmup = reader.number('warmup')
  const precision = reader.oneOf(
    'precision',
    ['auto', 'bf16', 'fp32'],
    'it keeps weights as the base has them.',
  )
  const made: JsonObject = {
    micro_batch_size: micro,
    gradient_accumulation_steps: accumulated,
    learning_rate: reader.number('learning_rate'),
    num_epochs: reader.number('epochs'),
    ...(steps !== null && { max_steps: steps }),
    sequence_len: reader.maxLength(),
    excess_length_strategy: long === 'refuse' ? 'raise' : long,
    lr_scheduler: String(reader.take('schedule')),
    ...(warmup > 0 && warmup < 1 ? { warmup_ratio: warmup } : { warmup_steps: Math.round(warmup) }),
    weight_decay: reader.number('weight_decay'),
    optimizer: 'adamw_torch',
    adam_beta1: 0.9,
    adam_beta2: reader.number('adam_beta2'),
    adam_epsilon: 1e-8,
    max_grad_norm: reader.number('max_grad_norm'),
    bf16: precision === 'auto' ? 'auto' : precision === 'bf16',
    gradient_checkpointing: reader.take('gradient_checkpointing') === true,
  }
  if (recipe === 'sft') {
    reader.oneOf('loss_on', ['answers'], 'it learns the turns that the rows mark.')
    made.sample_packing = reader.take('packing') === true
  } else {
    // Its rows have one answer a side.
    reader.take('loss_on')
    made.rl_beta = reader.number('beta')
    made.dpo_label_smoothing = reader.number('label_smoothing')
  }
  reader.finish()
  return made
}
