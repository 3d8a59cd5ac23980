import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { openCommandTrainer } from '../../../shared/learn/trainings/command/command-trainer.ts'
import { configurationOf } from './drivers.ts'
import { openTestTrainings } from './open-test-trainings.ts'

const hasEnded = ({ status }: Training) => status !== 'queued' && status !== 'running'
const isAtStep = (wanted: number) => (training: Training) => training.progress.step >= wanted

async function openWithCommand(behaviour: string) {
  const opened = await openTestTrainings({
    others: (objects, folder) => [
      openCommandTrainer({ id: 'mine', configuration: configurationOf(behaviour), objects, folder }),
    ],
  })
  await opened.addDataset('dataset-1')
  return { ...opened, begin: () => opened.trainings().create(opened.request({ trainer: 'mine' })) }
}

describe('a training by a command', () => {
  test('is done, and its model is registered without the files that are no part of it', async () => {
    const opened = await openWithCommand('runs')
    const { id } = await opened.begin()
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({ status: 'succeeded', error: null, progress: { step: 10, steps: 10 } })
    const model = await opened.models().get(training.model ?? '')
    expect(model).toMatchObject({ training: id, format: 'safetensors', context_length: 64 })
    expect(model.files.map(({ name }) => name)).toEqual(['config.json', 'model.safetensors'])
  })

  test('goes on from its last checkpoint when the service was ended, and trains no step twice before it', async () => {
    const opened = await openWithCommand('waits')
    const { id } = await opened.begin()
    await opened.until(id, isAtStep(5))
    await opened.until(id, ({ checkpoints }) => checkpoints.some(({ step }) => step === 4))
    await opened.restart()
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({ status: 'succeeded', usage: { starts: 2 } })
    const points = await opened.trainings().metrics(id)
    expect(points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('is paused by SIGTERM, and resumed from the stored checkpoint where its folder is gone', async () => {
    const opened = await openWithCommand('waits')
    const { id } = await opened.begin()
    await opened.until(id, ({ checkpoints }) => checkpoints.some(({ step }) => step === 4))
    await opened.until(id, isAtStep(5))
    await opened.trainings().pause(id)
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'paused', reason: 'asked' })
    await rm(join(opened.folder, 'trainings', id), { recursive: true })
    await opened.trainings().resume(id)
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({ status: 'succeeded', usage: { starts: 2 } })
    expect(training.log_tail[0]).toBe('2 rows, from checkpoint-4')
  })

  test('that fails registers nothing, and shows the last lines', async () => {
    const opened = await openWithCommand('exits')
    const { id } = await opened.begin()
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({
      status: 'failed',
      reason: 'trainer_failed',
      model: null,
      error: expect.stringContaining('the data does not please me'),
    })
    expect(training.log_tail).toContain('the data does not please me')
    expect((await opened.models().list({ limit: 10 })).data).toEqual([])
  })
})
