import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { openTestTrainings } from './open-test-trainings.ts'

const hasEnded = ({ status }: Training) => status !== 'queued' && status !== 'running'
const endless = { seed: 13 }

async function openWithDataset() {
  const opened = await openTestTrainings()
  await opened.addDataset('dataset-1')
  return opened
}

describe('a request', () => {
  test('with the same key makes one training', async () => {
    const opened = await openWithDataset()
    const made = await opened.trainings().create(opened.request(), { idempotencyKey: 'a' })
    expect((await opened.trainings().create(opened.request(), { idempotencyKey: 'a' })).id).toBe(made.id)
    await expect(
      opened.trainings().create(opened.request({ seed: 1 }), { idempotencyKey: 'a' }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused' })
  })

  test('is refused for a dataset with tasks that are held out, as its build counted them', async () => {
    const opened = await openTestTrainings()
    await opened.addDataset('dataset-1', { gates: { held_out: { found: 3, dropped: 1 } } })
    await expect(opened.trainings().create(opened.request())).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'datasets[0].dataset',
      message: expect.stringContaining('2 rows of tasks that are held out'),
    })
  })

  test('is refused for rows that show pictures, which its trainer reads no more of than texts', async () => {
    const opened = await openTestTrainings()
    const pictures = { rows: 2, files: 3, bytes: 100, left_out: 0, rows_without: 0 }
    await opened.addDataset('dataset-1', { pictures })
    await expect(opened.trainings().create(opened.request())).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'datasets[0].dataset',
      message: expect.stringMatching(/show pictures.*trains on texts alone.*leave_out/),
    })
  })

  test('ends before its trainer starts where the lineage of a row names a task that is held out', async () => {
    const opened = await openTestTrainings()
    await opened.addDataset('dataset-1', { taskSplits: ['train', 'test'] })
    const { id } = await opened.trainings().create(opened.request())
    expect(await opened.until(id, hasEnded)).toMatchObject({
      status: 'failed',
      reason: 'refused',
      usage: { starts: 0 },
      error: expect.stringContaining('1 rows of tasks that are held out'),
    })
  })

  test('is refused for a base whose own training saw tasks that are held out', async () => {
    const opened = await openWithDataset()
    await opened.addDataset('leaked', { gates: { held_out: { found: 1, dropped: 0 } } })
    const path = join(opened.base, 'config.json')
    const parent = await opened.models().register({
      files: [
        { name: 'config.json', path },
        { name: 'model.safetensors', path },
      ],
      datasets: ['leaked'],
    })
    await expect(
      opened.trainings().create(opened.request({ base: { registered: parent.id } })),
    ).rejects.toMatchObject({ param: 'base.registered' })
  })

  test.each([
    [{ datasets: [{ dataset: 'none' }] }, 'datasets[0].dataset', 'There is no dataset "none"'],
    [{ datasets: [{ dataset: 'building' }] }, 'datasets[0].dataset', 'is running. Wait'],
    [{ datasets: [{ dataset: 'openai' }] }, 'datasets[0].dataset', 'reads: trl'],
    [{ recipe: 'dpo' as const }, 'datasets[0].dataset', 'learns from: preference, step-preference'],
    [
      { datasets: [{ dataset: 'dataset-1', share: 0.5 }, { dataset: 'dataset-1' }] },
      'datasets[1].share',
      'or to none',
    ],
    [{ trainer: 'elsewhere' }, 'trainer', 'Choose one of: local'],
    [{ hyperparameters: { epoch: 1 } }, 'hyperparameters.epoch', 'Did you mean "epochs"?'],
    [{ hyperparameters: { batch_size: 3 } }, 'hyperparameters.batch_size', 'a multiple of'],
    [{ hyperparameters: { max_length: 5000 } }, 'hyperparameters.max_length', '4096 tokens at most'],
    [{ base: { folder: '/nowhere' } }, 'base.folder', 'holds no model'],
    [{ base: { folder: 'model' } }, 'base.folder', 'absolute path'],
    [{ base: { registered: 'model-1' } }, 'base.registered', 'no registered model'],
  ])('that cannot be trained is refused with its field: %j', async (given, param, words) => {
    const opened = await openWithDataset()
    await opened.addDataset('building', { status: 'running' })
    await opened.addDataset('openai', { request: { format: 'openai' } })
    await expect(opened.trainings().create(opened.request(given))).rejects.toMatchObject({
      param,
      message: expect.stringContaining(words),
    })
  })

  test('of another tenant is not there', async () => {
    const opened = await openWithDataset()
    const { id } = await opened.trainings().create(opened.request(endless))
    const others = opened.tenants().of('other')
    for (const ask of [others.get, others.cancel, others.pause, others.resume, others.metrics]) {
      await expect(ask(id)).rejects.toMatchObject({ code: 'not_found' })
    }
    expect((await others.list({ limit: 10 })).data).toEqual([])
    await opened.trainings().cancel(id)
    await opened.until(id, hasEnded)
  })
})
