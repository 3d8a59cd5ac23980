import { isAbsolute, join, resolve } from 'node:path'
import { z } from 'zod'
import { EspalierError } from '../../../../core/contracts/errors.ts'
import { type JsonObject, jsonObjectSchema } from '../../../../core/contracts/json.ts'
import type { Lora } from '../../../../core/contracts/training.ts'
import {
  HyperparameterReader,
  pythonYaml,
  refuseShares,
  type TemplateJob,
  type TrainerTemplate,
  targetsOf,
  warmupSteps,
  withSettings,
} from './template.ts'
import { torchtuneLines } from './torchtune-lines.ts'

const title = 'torchtune'

const rowsModule = resolve(import.meta.dirname, '../../../../../containers/trainer/torchtune')

/**
 * torchtune: `tune run` of one of its recipes with one YAML (pytorch/torchtune 0.6.1, recipes/). It builds models,
 * tokenizers and chat templates by its own names, which the trainer's settings give. It saves a checkpoint at the end
 * of each epoch.
 */
export const torchtuneTemplate: TrainerTemplate = {
  name: 'torchtune',
  title,
  program: 'tune',
  recipes: ['sft', 'dpo'],
  formats: ['trl'],
  lines: (from, { epochs }) => torchtuneLines(from, Number(epochs)),
  write(job) {
    const { devices, lora, places, program } = job
    refuseShares(job, title)
    const { base, settings } = settingsOf(job)
    const made = `${places.work}/torchtune`
    const file = `${places.work}/torchtune.yaml`
    const { recipe, isDistributed } = recipeOf(job)
    const spread = isDistributed ? ['--nnodes', '1', '--nproc_per_node', String(devices)] : []
    const configuration = withSettings(
      { ...partsOf(job, base, settings, made), ...hyperparametersOf(job) },
      { ...job, settings: settings.rest },
      title,
    )
    const model = `${places.output}/model`
    const adapter = ['adapter_config.json', 'adapter_model.safetensors', 'adapter_model.pt']
    return {
      files: { 'torchtune.yaml': pythonYaml(configuration) },
      commands: [
        ...layOut(places.resume, made),
        [program, 'run', ...spread, recipe, '--config', file],
        ['rm', '-rf', model],
        ['cp', '-R', `${made}/epoch_${Number(job.hyperparameters.epochs) - 1}`, model],
        // The adapter was merged into the whole weights beside it.
        ...(lora?.merge === true ? [['rm', '-f', ...adapter.map((name) => `${model}/${name}`)]] : []),
      ],
      environment: { PYTHONPATH: rowsModule },
    }
  },
}

/** Restores the folder as torchtune left it after the checkpoint: the last epoch's, with the state to resume from. */
function layOut(resume: string | null, made: string): string[][] {
  if (resume === null) return [['rm', '-rf', made]]
  return [
    ['rm', '-rf', made],
    ['mkdir', '-p', `${made}/epoch_0`, `${made}/recipe_state`],
    ['cp', '-R', `${resume}/.`, `${made}/epoch_0`],
    ['mv', `${made}/epoch_0/recipe_state.pt`, `${made}/recipe_state`],
  ]
}

function recipeOf({ devices, lora, recipe }: TemplateJob): { recipe: string; isDistributed: boolean } {
  // torchtune has DPO of all weights only as a distributed recipe, which one device runs too.
  const isDistributed = devices > 1 || (recipe === 'dpo' && lora === null)
  const where = isDistributed ? 'distributed' : 'single_device'
  const what = recipe === 'dpo' ? 'dpo' : 'finetune'
  return { recipe: `${lora === null ? 'full' : 'lora'}_${what}_${where}`, isDistributed }
}

const componentSchema = z.string().regex(/^\w+(\.\w+)+$/, 'must be the name of a function of torchtune')
const settingsSchema = z.looseObject({
  model: componentSchema,
  model_type: z.string().regex(/^\w+$/),
  tokenizer: z.looseObject({ _component_: componentSchema }),
  checkpoint_files: z.array(z.string().min(1)).min(1).default(['model.safetensors']),
})

type Settings = z.infer<typeof settingsSchema> & { rest: JsonObject }

function settingsOf(job: TemplateJob): { base: string; settings: Settings } {
  const parsed = settingsSchema.safeParse(job.settings)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new EspalierError(
      'invalid_request',
      `torchtune builds models by names of its own: say in trainers.json, as "settings", model, model_type and tokenizer, as its recipes for the model do. At ${issue?.path.join('.')}: ${issue?.message}.`,
      { param: 'trainer' },
    )
  }
  if (!('folder' in job.base)) {
    throw new EspalierError(
      'invalid_request',
      'torchtune reads a base from a folder: name one, or a registered model.',
      { param: 'base.hub' },
    )
  }
  const { model: _, model_type: __, tokenizer: ___, checkpoint_files: ____, ...rest } = job.settings
  return { base: job.base.folder, settings: { ...parsed.data, rest } }
}

function partsOf(job: TemplateJob, base: string, settings: Settings, made: string): JsonObject {
  const { data, hyperparameters, lora, places, recipe } = job
  const { checkpoint_files: names, model_type } = settings
  const { max_length } = hyperparameters
  const checkpointer = {
    _component_: 'torchtune.training.FullModelHFCheckpointer',
    checkpoint_dir: base,
    checkpoint_files: names,
    recipe_checkpoint: null,
    output_dir: made,
    model_type,
  }
  // Without adapters it resumes from the weights of the last epoch, which it names by their number.
  const resumed = names.map((_, index) => {
    const number = (of: number) => String(of).padStart(5, '0')
    return `epoch_0/model-${number(index + 1)}-of-${number(names.length)}.safetensors`
  })
  const isResumedWhole = places.resume !== null && lora === null
  const tokenizer = Object.entries(settings.tokenizer).map(([name, value]) => {
    const isFile = /(^|_)(path|file)$/.test(name) && typeof value === 'string' && !isAbsolute(value)
    return [name, isFile ? join(base, String(value)) : value]
  })
  const files = data.flatMap((each) => each.names.map((name) => `${places.data}/${name}`))
  return jsonObjectSchema.parse({
    output_dir: made,
    model: lora === null ? { _component_: settings.model } : adapterOf(settings.model, lora),
    tokenizer: { ...Object.fromEntries(tokenizer), max_seq_len: max_length },
    checkpointer: { ...checkpointer, ...(isResumedWhole && { checkpoint_files: resumed }) },
    ...(recipe === 'dpo' && lora === null && { ref_checkpointer: checkpointer }),
    ...(lora !== null && { save_adapter_weights_only: !lora.merge }),
    resume_from_checkpoint: places.resume !== null,
    dataset:
      recipe === 'dpo'
        ? { _component_: 'espalier_rows.pairs', files }
        : {
            _component_: 'espalier_rows.conversations',
            files,
            learns_all: hyperparameters.loss_on === 'all',
            packed: hyperparameters.packing === true,
          },
    seed: job.seed,
    shuffle: true,
    device: job.hasGpu ? 'cuda' : 'cpu',
    compile: false,
    ...(lora === null && { optimizer_in_bwd: false }),
    enable_activation_offloading: false,
    metric_logger: { _component_: 'torchtune.training.metric_logging.StdoutLogger' },
    log_every_n_steps: 1,
    log_peak_memory_stats: false,
  })
}

const attention: Record<string, string> = {
  q_proj: 'q_proj',
  k_proj: 'k_proj',
  v_proj: 'v_proj',
  o_proj: 'output_proj',
}
const perceptron = ['gate_proj', 'up_proj', 'down_proj']

/** torchtune names the builder of a model with adapters like the one without, with the prefix `lora_`. */
function adapterOf(model: string, lora: Lora): JsonObject {
  const targets = targetsOf(lora)
  const named = targets === 'all' ? [...Object.keys(attention), ...perceptron] : targets
  const inPerceptron = named.filter((name) => perceptron.includes(name))
  const isKnown = named.every((name) => name in attention || perceptron.includes(name))
  if (!isKnown || (inPerceptron.length > 0 && inPerceptron.length < perceptron.length)) {
    throw new EspalierError(
      'invalid_request',
      `torchtune gives adapters to ${Object.keys(attention).join(', ')} one by one, and to ${perceptron.join(', ')} together.`,
      { param: 'lora.target_modules' },
    )
  }
  return {
    _component_: model.replace(/(\w+)$/, 'lora_$1'),
    lora_attn_modules: named.flatMap((name) => attention[name] ?? []),
    apply_lora_to_mlp: inPerceptron.length > 0,
    lora_rank: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: lora.dropout,
  }
}

function hyperparametersOf(job: TemplateJob): JsonObject {
  const { checkpointSteps, devices, hasGpu, lora, recipe } = job
  const reader = new HyperparameterReader(job, title)
  if (checkpointSteps !== null) {
    throw new EspalierError(
      'invalid_request',
      'torchtune saves one at the end of each epoch: leave it out.',
      {
        param: 'checkpoint_steps',
      },
    )
  }
  const epochs = reader.number('epochs')
  if (!Number.isInteger(epochs)) {
    throw new EspalierError('invalid_request', 'torchtune trains whole epochs.', {
      param: 'hyperparameters.epochs',
    })
  }
  const { micro, accumulated } = reader.batches(devices)
  reader.maxLength()
  reader.oneOf('max_steps', [null], 'it trains whole epochs.')
  reader.oneOf('long_rows', ['truncate'], 'it cuts longer rows without a word.')
  reader.oneOf('schedule', ['cosine'], 'it has no other.')
  const precision = reader.oneOf(
    'precision',
    ['auto', 'bf16-weights', 'fp32'],
    'it has weights and arithmetic in one type.',
  )
  const clipped = reader.number('max_grad_norm')
  if (recipe === 'dpo' && lora !== null && clipped !== 0) {
    throw new EspalierError(
      'invalid_request',
      'torchtune scales no gradients where it trains adapters on pairs: say 0.',
      {
        param: 'hyperparameters.max_grad_norm',
      },
    )
  }
  const isPacked = recipe === 'sft' && reader.take('packing') === true
  if (recipe === 'sft') reader.take('loss_on')
  else if ('loss_on' in job.hyperparameters) {
    reader.oneOf('loss_on', ['answers'], 'it learns the answers of both sides.')
  }
  const made: JsonObject = {
    epochs,
    max_steps_per_epoch: null,
    batch_size: micro,
    gradient_accumulation_steps: accumulated,
    optimizer: {
      _component_: 'torch.optim.AdamW',
      lr: reader.number('learning_rate'),
      weight_decay: reader.number('weight_decay'),
      betas: [0.9, reader.number('adam_beta2')],
      fused: hasGpu,
    },
    lr_scheduler: {
      _component_: 'torchtune.training.lr_schedulers.get_cosine_schedule_with_warmup',
      num_warmup_steps: warmupSteps(job, reader.number('warmup'), isPacked),
    },
    loss:
      recipe === 'dpo'
        ? {
            _component_: 'torchtune.rlhf.loss.DPOLoss',
            beta: reader.number('beta'),
            label_smoothing: reader.number('label_smoothing'),
          }
        : { _component_: 'torchtune.modules.loss.CEWithChunkedOutputLoss' },
    ...(clipped !== 0 && { clip_grad_norm: clipped }),
    dtype: precision === 'bf16-weights' || (precision === 'auto' && hasGpu) ? 'bf16' : 'fp32',
    enable_activation_checkpointing: reader.take('gradient_checkpointing') === true,
  }
  reader.finish()
  return made
}
