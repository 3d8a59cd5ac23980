import { EspalierError } from '../../../../core/contracts/errors.ts'
import type { Json, JsonObject } from '../../../../core/contracts/json.ts'
import { transformersLines } from '../tool-lines.ts'
import {
  HyperparameterReader,
  nameOfBase,
  refuseShares,
  type TemplateJob,
  type TrainerTemplate,
  targetsOf,
  warmupSteps,
  withSettings,
} from './template.ts'

const title = 'XTuner'

/**
 * XTuner: `xtuner train` with one configuration in Python, over transformers' Trainer (`framework = "huggingface"`;
 * InternLM/xtuner 0.2.0, tools/train.py), whose checkpoints and lines are known. The trainer's settings name its chat
 * template. It cuts long rows silently. It saves no tokenizer, so the template copies the base's.
 */
export const xtunerTemplate: TrainerTemplate = {
  name: 'xtuner',
  title,
  program: 'xtuner',
  recipes: ['sft'],
  formats: ['xtuner'],
  lines: transformersLines,
  write(job) {
    const { places, program, devices } = job
    refuseShares(job, title)
    const file = `${places.work}/xtuner.py`
    const resumed = places.resume === null ? [] : ['--resume', places.resume]
    const copied = tokenizerFolder(job)
    return {
      files: { 'xtuner.py': configurationOf(job) },
      commands: [
        [program, 'train', file, '--work-dir', places.output, ...resumed],
        ...(copied === null ? [] : [copyTokenizer(copied, places.output)]),
      ],
      environment: { NPROC_PER_NODE: String(devices) },
    }
  },
}

function tokenizerFolder({ base, lora }: TemplateJob): string | null {
  if (lora?.merge === true) {
    throw new EspalierError(
      'invalid_request',
      'XTuner adds adapters to weights in float16 alone, whatever they were trained in. Set it to false: the adapter is registered.',
      { param: 'lora.merge' },
    )
  }
  if (lora !== null) return null
  if ('folder' in base) return base.folder
  throw new EspalierError(
    'invalid_request',
    'XTuner saves no tokenizer beside whole weights: name the base as a folder, from which it is copied, or as a registered model.',
    { param: 'base.hub' },
  )
}

const tokenizerFiles = [
  'tokenizer*',
  'special_tokens*',
  'added_tokens*',
  'vocab*',
  'merges*',
  'chat_template*',
]

function copyTokenizer(from: string, to: string): string[] {
  const names = tokenizerFiles.flatMap((name, index) => [...(index === 0 ? [] : ['-o']), '-name', name])
  return ['find', from, '-maxdepth', '1', '-type', 'f', '(', ...names, ')', '-exec', 'cp', '{}', to, ';']
}

function configurationOf(job: TemplateJob): string {
  const { lora, places, settings } = job
  const { prompt_template, ...rest } = settings
  if (typeof prompt_template !== 'string' || !/^\w+$/.test(prompt_template)) {
    throw new EspalierError(
      'invalid_request',
      'XTuner knows chat templates by names of its own: say which in trainers.json, as "settings": {"prompt_template": "qwen_chat"}.',
      { param: 'trainer' },
    )
  }
  const { name, revision } = nameOfBase(job)
  const { data, training, dtype } = hyperparametersOf(job)
  const files = job.data.flatMap(({ names }) => names.map((each) => `${places.data}/${each}`))
  const base = `pretrained_model_name_or_path=${python(name)}, revision=${python(revision ?? 'main')}`
  return `import torch
from datasets import load_dataset
from peft import LoraConfig
from transformers import AutoModelForCausalLM, AutoTokenizer, Trainer, TrainingArguments

from xtuner.dataset.huggingface import process_hf_dataset
from xtuner.dataset.map_fns.template_map_fn import template_map_fn_factory
from xtuner.utils.templates import PROMPT_TEMPLATE

framework = "huggingface"
trainer = Trainer
training_args = dict(type=TrainingArguments, **${python(withSettings(training, { ...job, settings: rest }, title))})
tokenizer = dict(type=AutoTokenizer.from_pretrained, ${base}, padding_side="right")
model = dict(type=AutoModelForCausalLM.from_pretrained, ${base}, torch_dtype=torch.${dtype})
${lora === null ? '' : `lora = dict(type=LoraConfig, **${python(adapterOf(lora))})\n`}train_dataset = dict(
    type=process_hf_dataset,
    dataset=dict(type=load_dataset, path="json", data_files=${python(files)}),
    tokenizer=tokenizer,
    dataset_map_fn=None,
    template_map_fn=dict(type=template_map_fn_factory, template=PROMPT_TEMPLATE.${prompt_template}),
    remove_unused_columns=True,
    map_num_proc=1,
    **${python(data)},
)
`
}

function adapterOf(lora: NonNullable<TemplateJob['lora']>): JsonObject {
  const targets = targetsOf(lora)
  return {
    r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: lora.dropout,
    // Without any targets, it adapts every linear layer.
    ...(targets !== 'all' && { target_modules: targets }),
    bias: 'none',
    task_type: 'CAUSAL_LM',
  }
}

function hyperparametersOf(job: TemplateJob): { data: JsonObject; training: JsonObject; dtype: string } {
  const { devices, hasGpu } = job
  const reader = new HyperparameterReader(job, title)
  const { micro, accumulated } = reader.batches(devices)
  reader.oneOf('long_rows', ['truncate'], 'it cuts longer rows without a word.')
  reader.oneOf('loss_on', ['answers'], 'it learns the outputs that the rows mark.')
  const packing = reader.take('packing') === true
  const steps = reader.take('max_steps')
  const precision = reader.take('precision')
  const data = { max_length: reader.maxLength(), pack_to_max_length: packing }
  const training = {
    output_dir: job.places.output,
    per_device_train_batch_size: micro,
    gradient_accumulation_steps: accumulated,
    learning_rate: reader.number('learning_rate'),
    num_train_epochs: reader.number('epochs'),
    ...(steps !== null && { max_steps: steps }),
    lr_scheduler_type: String(reader.take('schedule')),
    warmup_steps: warmupSteps(job, reader.number('warmup'), packing),
    weight_decay: reader.number('weight_decay'),
    adam_beta2: reader.number('adam_beta2'),
    max_grad_norm: reader.number('max_grad_norm'),
    bf16: precision === 'bf16' || (precision === 'auto' && hasGpu),
    gradient_checkpointing: reader.take('gradient_checkpointing') === true,
    optim: 'adamw_torch',
    seed: job.seed,
    data_seed: job.seed,
    logging_steps: 1,
    logging_nan_inf_filter: false,
    save_strategy: 'steps',
    save_steps: job.checkpointSteps ?? 0.1,
    save_total_limit: job.keepCheckpoints,
    report_to: 'none',
  }
  reader.finish()
  return { data, training, dtype: precision === 'bf16-weights' ? 'bfloat16' : 'float32' }
}

function python(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value !== 'object') return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${python(each)}`)
  return `{${members.join(', ')}}`
}
