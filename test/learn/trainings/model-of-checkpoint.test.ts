import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loraSchema, type TrainingRecipe } from '../../../shared/core/contracts/training.ts'
import { openCommandTrainer } from '../../../shared/learn/trainings/command/command-trainer.ts'
import { modelOfCheckpoint } from '../../../shared/learn/trainings/model-of-checkpoint.ts'
import type { Trainer } from '../../../shared/learn/trainings/trainer.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { configurationOf, openDriver } from './drivers.ts'

async function made(options: { merge: boolean; recipe?: TrainingRecipe; trainer?: Trainer }) {
  const { job, trainer } = await openDriver('local', 'runs')
  const checkpoints = {
    async restore(_: string, step: number, folder: string) {
      const names = ['adapter_config.json', 'adapter_model.safetensors', 'tokenizer.json', 'README.md']
      for (const name of names) await writeFile(join(folder, name), `${name} at ${step}`)
      return names
    },
  }
  const request = {
    base: job.base,
    recipe: options.recipe ?? 'sft',
    lora: loraSchema.parse({ merge: options.merge }),
    trainer: 'mine',
  }
  return modelOfCheckpoint(
    {
      checkpoints,
      models: { materialize: async () => undefined },
      trainers: new Map([['mine', options.trainer ?? trainer()]]),
    },
    { training: job.training, request: request as never, step: 4 },
    await temporaryFolder(),
  )
}

test('an adapter is added to its base by the trainer', async () => {
  const { files, format } = await made({ merge: true })
  expect(format).toBe('safetensors')
  expect(files.map(({ name }) => name).toSorted()).toEqual(['config.json', 'model.safetensors'])
  const weights = files.find(({ name }) => name === 'model.safetensors')?.path ?? ''
  expect(await readFile(weights, 'utf8')).toBe(
    '{"max_position_embeddings":8192} with adapter_model.safetensors at 4',
  )
})

test('an adapter stays one where the training was to make one', async () => {
  const { files, format } = await made({ merge: false })
  expect(format).toBe('adapter')
  expect(files.map(({ name }) => name)).toEqual([
    'adapter_config.json',
    'adapter_model.safetensors',
    'tokenizer.json',
  ])
})

test('a trainer that cannot add adapters is named, and one that fails says why', async () => {
  const folder = await temporaryFolder()
  const objects = { get: async () => null }
  const trainer = openCommandTrainer({ id: 'mine', configuration: configurationOf('runs'), objects, folder })
  await expect(made({ merge: true, trainer })).rejects.toMatchObject({
    code: 'not_supported',
    message: expect.stringContaining('the trainer "mine" cannot add it'),
  })
  await expect(made({ merge: true, recipe: 'prm' })).rejects.toMatchObject({
    code: 'invalid_request',
    param: 'base',
    message: 'The weights of the base cannot be read.',
  })
})
