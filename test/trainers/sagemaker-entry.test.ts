import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { JsonObject } from '../../shared/core/contracts/json.ts'
import { awsTrainerSchema } from '../../shared/learn/trainings/aws/aws-configuration.ts'
import { trainingJobRequest } from '../../shared/learn/trainings/aws/job-request.ts'
import { readProgress } from '../../shared/learn/trainings/program/progress-file.ts'
import { resolveHyperparameters } from '../../shared/learn/trainings/recipes.ts'
import { dataFiles } from './canonical-rows.ts'
import { runPython } from './run-python.ts'

const entry = resolve(import.meta.dirname, '../../containers/trainer/sagemaker/entry.py')
const configuration = awsTrainerSchema.parse({
  kind: 'aws',
  bucket: 'data',
  role: 'arn:aws:iam::123456789012:role/trainings',
  image: 'trainer:1',
  instance_type: 'ml.m5.large',
  cost_per_hour: 1,
})

/** As SageMaker lays out /opt/ml for a job. */
async function layOut(base: string, hyperparameters: JsonObject): Promise<string> {
  const root = await mkdtemp(join(inject('folder'), 'ml-'))
  const rows = join(root, 'input/data/rows')
  await mkdir(rows, { recursive: true })
  await mkdir(join(root, 'input/config'), { recursive: true })
  const [file = ''] = await dataFiles('sft', 'trl')
  await copyFile(file, join(rows, '1-data.jsonl.gz'))
  const described = [{ dataset: 'dataset-1', split: 'train', share: null, files: ['1-data.jsonl.gz'] }]
  await writeFile(join(rows, 'rows.json'), JSON.stringify(described))
  await mkdir(join(root, 'input/data/base'))
  for (const name of await readdir(base))
    await copyFile(join(base, name), join(root, 'input/data/base', name))
  await writeSettings(root, hyperparameters)
  return root
}

async function writeSettings(root: string, hyperparameters: JsonObject): Promise<void> {
  const usual = { precision: 'fp32', batch_size: 2, micro_batch_size: 2, warmup: 0, max_length: 4096 }
  const { settings } = trainingJobRequest(
    {
      training: 'training-1',
      recipe: 'sft',
      base: { folder: '/models/base' },
      data: [],
      hyperparameters: resolveHyperparameters('sft', { ...usual, ...hyperparameters }),
      lora: null,
      seed: 1,
      checkpointSteps: 2,
      keepCheckpoints: 2,
      used: { seconds: 0, starts: 0 },
      limits: { cost: null, seconds: null },
    },
    configuration,
    1,
  )
  await writeFile(join(root, 'input/config/hyperparameters.json'), JSON.stringify(settings))
}

function start(root: string, job: string): ChildProcess {
  return spawn(inject('python'), [entry, 'train', root], {
    env: { ...process.env, TRAINING_JOB_NAME: job, TRL_EXPERIMENTAL_SILENCE: '1' },
    stdio: 'ignore',
  })
}

const codeOf = async (child: ChildProcess) => (await once(child, 'exit'))[0] as number
const progressOf = (root: string) => readProgress(join(root, 'checkpoints/progress.jsonl'))

describe('the entry of a job of SageMaker', () => {
  let base = ''
  beforeAll(async () => {
    base = await mkdtemp(join(inject('folder'), 'base-'))
    const files = await dataFiles('sft', 'trl')
    await runPython('adapter_models.py', [{ base, files, dtype: 'float32' }])
  })

  test('saves a checkpoint when it is to leave, and the next job goes on from the last whole one', async () => {
    const root = await layOut(base, { max_steps: 5000 })
    const first = start(root, 'job-1')
    await expect
      .poll(async () => (await progressOf(root))?.points.length ?? 0, { timeout: 120_000 })
      .toBeGreaterThan(3)
    first.kill('SIGTERM')
    expect(await codeOf(first)).toBe(0)
    const stopped = await progressOf(root)
    expect(stopped).toMatchObject({ job: 'job-1', end: { state: 'stopped' } })
    const last = stopped?.points.at(-1)?.step ?? 0
    const marker = await readFile(join(root, `checkpoints/checkpoint-${last}/espalier.json`), 'utf8')
    expect(Object.keys(JSON.parse(marker).files)).toEqual(
      expect.arrayContaining(['model.safetensors', 'optimizer.pt']),
    )

    // Of a later one the bucket has the mark, and not the files that it names.
    const partial = join(root, `checkpoints/checkpoint-${last + 2}`)
    await mkdir(partial)
    await writeFile(
      join(partial, 'espalier.json'),
      JSON.stringify({ step: last + 2, files: { 'model.safetensors': 9 } }),
    )
    await writeSettings(root, { max_steps: last + 3 })
    expect(await codeOf(start(root, 'job-2'))).toBe(0)
    const done = await progressOf(root)
    expect(done).toMatchObject({
      job: 'job-2',
      starts: 2,
      end: { state: 'succeeded', folder: join(root, 'model') },
    })
    expect(done?.points.map(({ step }) => step)).toEqual(
      Array.from({ length: last + 3 }, (_, index) => index + 1),
    )
    expect(await readdir(join(root, 'model'))).toEqual(
      expect.arrayContaining(['config.json', 'model.safetensors', 'tokenizer.json']),
    )
    expect(await readFile(join(root, 'checkpoints/trainer.log'), 'utf8')).not.toBe('')
  })

  test('says why it failed where SageMaker reads it', async () => {
    const root = await layOut(base, { max_length: 8 })
    expect(await codeOf(start(root, 'job-1'))).toBe(65)
    expect(await readFile(join(root, 'output/failure'), 'utf8')).toContain('are longer than 8 tokens')
    expect(await progressOf(root)).toMatchObject({ end: { state: 'failed', reason: 'refused' } })
  })
})
