import type { DatasetKindId } from '../../../../core/contracts/dataset.ts'
import { EspalierError } from '../../../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../../../core/contracts/json.ts'
import { llamaFactory } from '../../../../data/formats/llama-factory.ts'
import { transformersLines } from '../tool-lines.ts'
import {
  HyperparameterReader,
  nameOfBase,
  pythonYaml,
  refuseShares,
  type TemplateJob,
  type TrainerTemplate,
  targetsOf,
  warmupSteps,
  withSettings,
} from './template.ts'

const title = 'LLaMA-Factory'
const stages: Record<string, string> = { sft: 'sft', dpo: 'dpo', rpo: 'dpo', kto: 'kto' }

/**
 * LLaMA-Factory: `llamafactory-cli train` with the YAML of its examples (hiyouga/LLaMA-Factory 0.9.5, hparams/). It
 * cuts long rows silently, so a training must set `long_rows: "truncate"`. The trainer's settings name its chat
 * template.
 */
export const llamaFactoryTemplate: TrainerTemplate = {
  name: 'llamafactory',
  title,
  program: 'llamafactory-cli',
  recipes: ['sft', 'dpo', 'rpo', 'kto'],
  formats: ['llama-factory'],
  lines: transformersLines,
  write(job) {
    const { places, program, devices } = job
    refuseShares(job, title)
    const { info, names } = datasetsOf(job)
    const { name, revision } = nameOfBase(job)
    if (typeof job.settings.template !== 'string') {
      throw new EspalierError(
        'invalid_request',
        'LLaMA-Factory knows chat templates by names of its own: say which in trainers.json, as "settings": {"template": "qwen"}.',
        { param: 'trainer' },
      )
    }
    const base = { model_name_or_path: name, ...(revision !== null && { model_revision: revision }) }
    const ours: JsonObject = {
      ...base,
      do_train: true,
      stage: stages[job.recipe] ?? job.recipe,
      ...(job.data.some(({ kind }) => kind === 'exploration') && { mask_history: true }),
      dataset_dir: places.data,
      dataset: names.join(','),
      ...tuning(job),
      ...hyperparametersOf(job),
      seed: job.seed,
      data_seed: job.seed,
      output_dir: places.output,
      overwrite_output_dir: false,
      logging_steps: 1,
      logging_nan_inf_filter: false,
      include_num_input_tokens_seen: true,
      save_strategy: 'steps',
      save_steps: job.checkpointSteps ?? 0.1,
      save_total_limit: job.keepCheckpoints,
      report_to: 'none',
      ...(places.resume !== null && { resume_from_checkpoint: places.resume }),
    }
    const merge = {
      ...base,
      adapter_name_or_path: places.output,
      template: job.settings.template,
      finetuning_type: 'lora',
      export_dir: `${places.output}/model`,
    }
    const isMerged = job.lora?.merge === true
    return {
      files: {
        'data/dataset_info.json': `${JSON.stringify(info, null, 2)}\n`,
        'train.yaml': pythonYaml(withSettings(ours, job, title)),
        ...(isMerged && { 'export.yaml': pythonYaml(merge) }),
      },
      commands: [
        [program, 'train', `${places.work}/train.yaml`],
        ...(isMerged ? [[program, 'export', `${places.work}/export.yaml`]] : []),
      ],
      environment: {
        NPROC_PER_NODE: String(devices),
        ...(devices > 1 && { FORCE_TORCHRUN: '1' }),
      },
    }
  },
}

function datasetsOf({ data }: TemplateJob): { info: JsonObject; names: string[] } {
  const kinds = new Set(data.map(({ kind }) => kind))
  if (kinds.has('exploration') && kinds.size > 1) {
    throw new EspalierError(
      'invalid_request',
      'LLaMA-Factory masks earlier turns of all datasets or of none: train datasets of the kind "exploration" by themselves.',
      { param: 'datasets' },
    )
  }
  const info: JsonObject = {}
  for (const [index, { kind, names }] of data.entries()) {
    const facts = {
      kind: kind as DatasetKindId,
      title: `data ${index + 1}`,
      files: { train: names },
      rows: 0,
    }
    for (const { text } of llamaFactory.companions(facts))
      Object.assign(info, jsonObjectSchema.parse(JSON.parse(text)))
  }
  return { info, names: Object.keys(info) }
}

function tuning({ lora }: TemplateJob): JsonObject {
  if (lora === null) return { finetuning_type: 'full' }
  const targets = targetsOf(lora)
  return {
    finetuning_type: 'lora',
    lora_rank: lora.rank,
    lora_alpha: wholeAlpha(lora.alpha),
    lora_dropout: lora.dropout,
    lora_target: targets === 'all' ? 'all' : targets.join(','),
  }
}

function wholeAlpha(alpha: number): number {
  if (Number.isInteger(alpha)) return alpha
  throw new EspalierError('invalid_request', 'LLaMA-Factory takes whole numbers.', { param: 'lora.alpha' })
}

function hyperparametersOf(job: TemplateJob): JsonObject {
  const { recipe, devices, hasGpu } = job
  const reader = new HyperparameterReader(job, title)
  const { micro, accumulated } = reader.batches(devices)
  reader.oneOf('long_rows', ['truncate'], 'it cuts longer rows without a word.')
  const steps = reader.take('max_steps')
  const precision = reader.take('precision')
  const bf16 = precision === 'bf16' || (precision === 'auto' && hasGpu)
  const made: JsonObject = {
    per_device_train_batch_size: micro,
    gradient_accumulation_steps: accumulated,
    learning_rate: reader.number('learning_rate'),
    num_train_epochs: reader.number('epochs'),
    ...(steps !== null && { max_steps: steps }),
    cutoff_len: reader.maxLength(),
    lr_scheduler_type: String(reader.take('schedule')),
    weight_decay: reader.number('weight_decay'),
    adam_beta2: reader.number('adam_beta2'),
    max_grad_norm: reader.number('max_grad_norm'),
    ...(precision === 'bf16-weights' ? { pure_bf16: true } : { bf16 }),
    disable_gradient_checkpointing: reader.take('gradient_checkpointing') !== true,
  }
  if (recipe === 'sft') {
    made.train_on_prompt = reader.take('loss_on') === 'all'
    made.packing = reader.take('packing') === true
  }
  made.warmup_steps = warmupSteps(job, reader.number('warmup'), made.packing === true)
  if (recipe !== 'sft') {
    // Its rows have one answer a side.
    reader.take('loss_on')
    made.pref_beta = reader.number('beta')
  }
  if (recipe === 'dpo' || recipe === 'rpo') {
    made.pref_loss = 'sigmoid'
    made.dpo_label_smoothing = reader.number('label_smoothing')
  }
  if (recipe === 'rpo') made.pref_ftx = reader.number('alpha')
  if (recipe === 'kto') {
    made.kto_chosen_weight = reader.number('desirable_weight')
    made.kto_rejected_weight = reader.number('undesirable_weight')
  }
  reader.finish()
  return made
}
