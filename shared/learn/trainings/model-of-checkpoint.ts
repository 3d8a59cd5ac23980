import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { TrainingRequest } from '../../core/contracts/training.ts'
import type { ModelRegistry } from '../registry/model-registry.ts'
import type { CheckpointStore } from './checkpoints.ts'
import type { Trainer, TrainerJob } from './trainer.ts'

export interface CheckpointModelNeeds {
  checkpoints: Pick<CheckpointStore, 'restore'>
  models: Pick<ModelRegistry, 'materialize'>
  trainers: ReadonlyMap<string, Trainer>
}

export interface CheckpointModel {
  files: { name: string; path: string }[]
  format: 'safetensors' | 'adapter'
}

/**
 * Writes a checkpoint's model. It merges an adapter into its base unless the training was to create an adapter
 * (`lora.merge`: false).
 *
 * @param place - an empty folder for it
 * @throws EspalierError `not_supported` for an adapter whose trainer cannot merge it
 */
export async function modelOfCheckpoint(
  { checkpoints, models, trainers }: CheckpointModelNeeds,
  { training, request, step }: { training: string; request: TrainingRequest; step: number },
  place: string,
): Promise<CheckpointModel> {
  const checkpoint = join(place, 'checkpoint')
  await mkdir(checkpoint)
  const names = await checkpoints.restore(training, step, checkpoint)
  const found = filesIn(checkpoint, names)
  if (!names.includes('adapter_config.json')) return { files: found, format: 'safetensors' }
  if (request.lora?.merge === false) return { files: found, format: 'adapter' }
  const trainer = trainers.get(request.trainer)
  if (trainer?.merge === undefined) {
    throw new EspalierError(
      'not_supported',
      `The checkpoint holds an adapter, and the trainer "${request.trainer}" cannot add it to the weights of its base. Train with "lora": {"merge": false} to register adapters, or with the trainer "local".`,
      { param: 'training' },
    )
  }
  const output = join(place, 'whole')
  const base = await baseOf(models, request, join(place, 'base'))
  const written = await trainer.merge({ base, recipe: request.recipe, adapter: checkpoint, output })
  return { files: filesIn(output, written), format: 'safetensors' }
}

async function baseOf(
  models: Pick<ModelRegistry, 'materialize'>,
  { base }: TrainingRequest,
  folder: string,
): Promise<TrainerJob['base']> {
  if (!('registered' in base)) return base
  await models.materialize(base.registered, folder)
  return { folder }
}

const ofModel =
  /^(config|generation_config|tokenizer|special_tokens|vocab|merges|added_tokens|chat_template|model|adapter_)/

function filesIn(folder: string, names: readonly string[]): CheckpointModel['files'] {
  return names.filter((name) => ofModel.test(name)).map((name) => ({ name, path: join(folder, name) }))
}
