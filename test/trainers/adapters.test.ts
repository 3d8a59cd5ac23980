import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { loraSchema } from '../../shared/core/contracts/training.ts'
import { openLocalTrainer } from '../../shared/learn/trainings/local/local-trainer.ts'
import { resolveHyperparameters } from '../../shared/learn/trainings/recipes.ts'
import type { TrainerJob } from '../../shared/learn/trainings/trainer.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { dataFiles } from './canonical-rows.ts'
import { runPython } from './run-python.ts'

interface Compared {
  from_peft: number
  from_base: number
  from_answers: number
  dtype: string
  adapter: boolean
  has_template: boolean
  ends: boolean
}

/** A training of two steps with an adapter, each a checkpoint. */
async function trainAdapter(dtype: 'float32' | 'bfloat16') {
  const folder = await temporaryFolder()
  const base = join(folder, 'base')
  const files = await dataFiles('sft', 'trl')
  await runPython('adapter_models.py', [{ base, files, dtype }])
  const trainer = openLocalTrainer({
    objects: {
      get: async (key) => {
        const body = await readFile(key)
        return { key, body, size: body.length, etag: key, content_type: 'application/gzip' }
      },
    },
    folder: join(folder, 'trainings'),
    python: inject('python'),
    variables: process.env,
  })
  onTestFinished(() => trainer.close())
  const job: TrainerJob = {
    training: 'training-1',
    recipe: 'sft',
    base: { folder: base },
    data: [
      {
        dataset: 'dataset-1',
        split: 'train',
        kind: 'sft',
        format: 'trl',
        share: null,
        files: files.map((path) => ({
          name: basename(path),
          key: path,
          sha256: 'ab'.repeat(32),
          rows: 1,
        })),
      },
    ],
    hyperparameters: resolveHyperparameters('sft', {
      learning_rate: 0.05,
      max_steps: 2,
      batch_size: 2,
      micro_batch_size: 2,
      warmup: 0,
      schedule: 'constant',
      precision: 'fp32',
      long_rows: 'truncate',
    }),
    lora: loraSchema.parse({ rank: 4, alpha: 8, dropout: 0, target_modules: 'all-linear', merge: true }),
    seed: 1,
    checkpointSteps: 1,
    keepCheckpoints: 2,
    used: { seconds: 0, starts: 0 },
    limits: { cost: null, seconds: null },
  }
  await trainer.start(job)
  await expect
    .poll(async () => (await trainer.look(job)).state, { timeout: 200_000, interval: 200 })
    .not.toBe('running')
  const state = await trainer.look(job)
  expect(state.error).toBeNull()
  return { folder, base, trainer, job, state }
}

test.each(['float32', 'bfloat16'] as const)(
  'the adapter of a checkpoint is added to a base in %s as peft adds it, and as the end of the training does',
  async (dtype) => {
    const { base, folder, job, state, trainer } = await trainAdapter(dtype)
    expect(state.checkpoints.map(({ step }) => step)).toEqual([1, 2])
    const [first, last] = state.checkpoints.map((checkpoint) => checkpoint.folder)
    const merged = async (adapter = '') => {
      const output = join(folder, `merged-${basename(adapter)}`)
      const names = await trainer.merge?.({ base: job.base, recipe: 'sft', adapter, output })
      expect(names).toContain('model.safetensors')
      return output
    }
    const whole = [await merged(first), await merged(last)]
    const made = join(last ?? '', '../model')
    const [[ofFirst], ofLast] = (await runPython('adapter_models.py', [
      { base, adapter: first, models: [whole[0]] },
      { base, adapter: last, models: [whole[1], made] },
    ])) as [Compared[], Compared[]]
    // Weights in bfloat16 have eight bits, so that they are rounded once.
    const rounding = dtype === 'float32' ? 1e-6 : 0.01
    for (const model of [ofFirst, ...ofLast]) {
      expect(model).toMatchObject({ dtype: `torch.${dtype}`, adapter: false, has_template: true, ends: true })
      expect(model?.from_peft).toBeLessThan(rounding)
      expect(model?.from_answers).toBeLessThan(rounding * 100)
      expect(model?.from_base).toBeGreaterThan(0.02)
    }
    expect(ofLast[0]?.from_peft).toBe(ofLast[1]?.from_peft)
  },
)

test('a base that cannot be read is refused, with the field', async () => {
  const folder = await temporaryFolder()
  const trainer = openLocalTrainer({ objects: { get: async () => null }, folder, python: inject('python') })
  await expect(
    trainer.merge?.({
      base: { folder: join(folder, 'none') },
      recipe: 'sft',
      adapter: folder,
      output: join(folder, 'output'),
    }),
  ).rejects.toMatchObject({ code: 'invalid_request', param: 'base' })
})
