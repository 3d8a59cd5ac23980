import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { openTestTrainings } from './open-test-trainings.ts'

const hasEnded = ({ status }: Training) => status !== 'queued' && status !== 'running'
const isAtStep = (wanted: number) => (training: Training) => training.progress.step >= wanted
const endless = { seed: 13 }
const endlessAtFirst = { seed: 17 }

async function openWithDataset(options: Parameters<typeof openTestTrainings>[0] = {}) {
  const opened = await openTestTrainings(options)
  await opened.addDataset('dataset-1')
  return opened
}

describe('a training', () => {
  test('is done, and its model is registered with where it comes from', async () => {
    const opened = await openWithDataset()
    const begun = await opened.trainings().create(opened.request({ name: 'first' }))
    expect(begun).toMatchObject({
      status: 'queued',
      model: null,
      request: { hyperparameters: { epochs: 3 } },
    })
    const training = await opened.until(begun.id, hasEnded)
    expect(training).toMatchObject({
      status: 'succeeded',
      error: null,
      progress: { phase: 'done', step: 10, steps: 10 },
      metrics: { step: 10, loss: 0.1 },
      usage: { starts: 1 },
    })
    expect(await opened.models().get(training.model ?? '')).toMatchObject({
      name: 'first',
      training: training.id,
      datasets: ['dataset-1'],
      base: { folder: opened.base },
      parent: null,
    })
    const points = await opened.trainings().metrics(training.id)
    expect(points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(opened.errors()).toEqual([])
  })

  test('keeps its newest checkpoints as objects, without the optimizer once it is done', async () => {
    const opened = await openWithDataset()
    const { id } = await opened.trainings().create(opened.request({ keep_checkpoints: 2 }))
    const { checkpoints } = await opened.until(id, hasEnded)
    expect(checkpoints.map(({ step, has_optimizer }) => [step, has_optimizer])).toEqual([
      [8, false],
      [10, false],
    ])
    const parts = await opened.world().objects.list(`trainings/${id}/checkpoints/parts/`)
    const bodies = await Promise.all(parts.objects.map(({ key }) => opened.world().objects.get(key)))
    const texts = bodies.map((object) => Buffer.from(object?.body ?? []).toString('utf8'))
    expect(texts.filter((text) => text.startsWith('weights')).toSorted()).toEqual([
      'weights at 10',
      'weights at 8',
    ])
    expect(texts.filter((text) => text.startsWith('moments'))).toEqual([])
  })

  test('registers a checkpoint as a model, once for each step', async () => {
    const opened = await openWithDataset()
    const { id } = await opened.trainings().create(opened.request())
    await opened.until(id, hasEnded)
    const model = await opened.trainings().registerCheckpoint(id, 8)
    expect(await opened.trainings().registerCheckpoint(id, 8)).toBe(model)
    expect((await opened.models().get(model)).files.map(({ name }) => name)).toEqual([
      'config.json',
      'model.safetensors',
    ])
    await expect(opened.trainings().registerCheckpoint(id, 3)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('registers a checkpoint of an adapter with its base, or as an adapter where it makes one', async () => {
    const opened = await openWithDataset()
    const formats = []
    for (const merge of [true, false]) {
      const { id } = await opened.trainings().create(opened.request({ lora: { merge } }))
      await opened.until(id, hasEnded)
      const model = await opened.trainings().registerCheckpoint(id, 8)
      expect(await opened.trainings().registerCheckpoint(id, 8)).toBe(model)
      const { files, format } = await opened.models().get(model)
      formats.push([format, files.map(({ name }) => name).toSorted()])
    }
    expect(formats).toEqual([
      ['safetensors', ['config.json', 'model.safetensors']],
      ['adapter', ['adapter_config.json', 'adapter_model.safetensors']],
    ])
  })

  test('goes on from its last checkpoint when the service was ended, and trains no step twice before it', async () => {
    const opened = await openWithDataset()
    const { id } = await opened.trainings().create(opened.request(endless))
    await opened.until(id, isAtStep(5))
    await opened.until(id, ({ checkpoints }) => checkpoints.some(({ step }) => step === 4))
    await opened.restart()
    await opened.until(id, ({ usage }) => usage.starts === 2)
    await opened.trainings().cancel(id)
    const ended = await opened.until(id, hasEnded)
    expect(ended.status).toBe('cancelled')
    expect(ended.model).toBeNull()
    const points = await opened.trainings().metrics(id)
    expect(points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5])
  })

  test('is given its stored checkpoint where its folder is gone', async () => {
    const opened = await openWithDataset()
    const { id } = await opened.trainings().create(opened.request(endlessAtFirst))
    await opened.until(id, ({ checkpoints }) => checkpoints.some(({ step }) => step === 4))
    await opened.trainings().pause(id)
    await opened.until(id, hasEnded)
    await rm(join(opened.folder, 'trainings', id), { recursive: true })
    const { usage } = await opened.trainings().get(id)
    await opened.trainings().resume(id)
    const ended = await opened.until(id, hasEnded)
    expect(ended).toMatchObject({ status: 'succeeded', usage: { starts: 2 } })
    expect(ended.usage.seconds).toBeGreaterThan(usage.seconds)
    const points = await opened.trainings().metrics(id)
    expect(points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    expect(
      points.every(({ seconds }, index) => index === 0 || seconds > (points[index - 1]?.seconds ?? 0)),
    ).toBe(true)
  })

  test('is started again when its process is killed, and fails when that goes on without progress', async () => {
    const opened = await openWithDataset()
    const { id } = await opened.trainings().create(opened.request(endless))
    const identity = join(opened.folder, 'trainings', id, 'process.json')
    for (const starts of [1, 2, 3]) {
      await opened.until(id, (training) => training.usage.starts === starts && training.progress.step === 5)
      process.kill(-JSON.parse(await readFile(identity, 'utf8')).pid, 'SIGKILL')
      if (starts < 3) await opened.until(id, ({ usage }) => usage.starts === starts + 1)
    }
    const ended = await opened.until(id, hasEnded)
    expect(ended).toMatchObject({ status: 'failed', reason: 'trainer_died', model: null })
    expect(ended.warnings).toEqual([expect.stringContaining('started again from its checkpoint at step 4')])
    expect((await opened.models().list({ limit: 10 })).data).toEqual([])
  })

  test.each([
    [14, 'not_finite', 'not finite at step 3'],
    [15, 'trainer_failed', 'ended with code 70'],
    [16, 'disk_full', 'the disk is full'],
  ] as const)(
    'that fails (seed %i) says why, shows the last lines, and registers nothing',
    async (seed, reason, words) => {
      const opened = await openWithDataset()
      const { id } = await opened.trainings().create(opened.request({ seed }))
      const ended = await opened.until(id, hasEnded)
      expect(ended).toMatchObject({ status: 'failed', reason, model: null, log_tail: [`seed ${seed}`] })
      expect(ended.error).toContain(words)
      expect((await opened.models().list({ limit: 10 })).data).toEqual([])
    },
  )

  test('that reaches its cap pauses at a checkpoint, and goes on with a higher one', async () => {
    const opened = await openWithDataset({ costPerHour: 3600 })
    const request = opened.request({ ...endlessAtFirst, limits: { cost: 0.05 } })
    const { id } = await opened.trainings().create(request)
    const paused = await opened.until(id, hasEnded)
    expect(paused).toMatchObject({ status: 'paused', reason: 'cost_limit', ended_at: null })
    expect(paused.usage.cost).toBeGreaterThanOrEqual(0.05)
    await expect(opened.trainings().resume(id)).rejects.toMatchObject({
      code: 'invalid_state',
      param: 'limits.cost',
    })
    await opened.trainings().resume(id, { limits: { cost: 1000 } })
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'succeeded', usage: { starts: 2 } })
  })

  test('keeps the limits that its resuming leaves out', async () => {
    const opened = await openWithDataset({ costPerHour: 3600 })
    const limits = { cost: 1000, time: 0.05 }
    const { id } = await opened.trainings().create(opened.request({ ...endlessAtFirst, limits }))
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'paused', reason: 'time_limit' })
    await expect(opened.trainings().resume(id, { limits: { cost: 2000 } })).rejects.toMatchObject({
      param: 'limits.time',
    })
    const resumed = await opened.trainings().resume(id, { limits: { time: 900 } })
    expect(resumed.request.limits).toEqual({ cost: 1000, time: 900 })
    await opened.until(id, hasEnded)
  })

  test('waits while another has the trainer', async () => {
    const opened = await openWithDataset()
    const first = await opened.trainings().create(opened.request(endless))
    await opened.until(first.id, isAtStep(1))
    const second = await opened.trainings().create(opened.request())
    await opened.until(second.id, ({ progress }) => progress.phase === 'waiting')
    expect(await opened.trainings().get(second.id)).toMatchObject({ status: 'queued', usage: { starts: 0 } })
    await opened.trainings().cancel(first.id)
    expect(await opened.until(second.id, hasEnded)).toMatchObject({
      status: 'succeeded',
      usage: { starts: 1 },
    })
  })
})
