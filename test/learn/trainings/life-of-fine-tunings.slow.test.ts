import { describe, expect, test } from 'vitest'
import type { Training, TrainingRequestInput } from '../../../shared/core/contracts/training.ts'
import { openOpenAiTrainer } from '../../../shared/learn/trainings/openai/openai-trainer.ts'
import {
  type FineTuningServerOptions,
  openFineTuningServer,
  serviceKey,
  waitingSeed,
} from '../../support/fine-tuning-server.ts'
import { openAiConfiguration } from './drivers.ts'
import { openTestTrainings } from './open-test-trainings.ts'

const hasEnded = ({ status }: Training) => status !== 'queued' && status !== 'running'
const isAtStep = (wanted: number) => (training: Training) => training.progress.step >= wanted
const soon = { 'retry-after-ms': '1' }

async function openWithService(service: FineTuningServerOptions = {}) {
  const server = await openFineTuningServer(service)
  const opened = await openTestTrainings({
    others: (objects, folder) => [
      openOpenAiTrainer({
        id: 'tuning',
        configuration: openAiConfiguration(server),
        objects,
        folder,
        environment: { SERVICE_KEY: serviceKey },
        now: server.now,
      }),
    ],
  })
  await opened.addDataset('chats', { request: { format: 'openai' } })
  const request = (given: Partial<TrainingRequestInput> = {}) =>
    opened.request({
      base: { hub: 'small-model' },
      datasets: [{ dataset: 'chats' }],
      trainer: 'tuning',
      ...given,
    })
  return { ...opened, server, request, begin: (given = {}) => opened.trainings().create(request(given)) }
}

describe('a training by a fine-tuning service', () => {
  test('registers a model that the service keeps, from which the next one is trained', async () => {
    const opened = await openWithService()
    const { id } = await opened.begin({ name: 'tuned' })
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({
      status: 'succeeded',
      request: { hyperparameters: { epochs: 3, batch_size: null } },
      usage: { starts: 1, cost: 0.0008 },
      checkpoints: [
        { step: 5, remote: expect.stringContaining('ckpt-step-5'), has_optimizer: false },
        { step: 10 },
      ],
    })
    const model = await opened.models().get(training.model ?? '')
    const name = opened.server.jobs()[0]?.fine_tuned_model
    expect(model).toMatchObject({
      name: 'tuned',
      format: 'remote',
      remote: { trainer: 'tuning', name },
      files: [],
    })
    expect(await opened.trainings().metrics(id)).toHaveLength(10)
    await expect.poll(() => opened.server.files()).toEqual([])

    const base = { registered: model.id }
    await expect(
      opened.trainings().create(
        opened.request({
          base,
          trainer: 'local',
          datasets: [{ dataset: await opened.addDataset('rows') }],
        }),
      ),
    ).rejects.toMatchObject({ param: 'base.registered' })
    const next = await opened.until((await opened.begin({ base })).id, hasEnded)
    expect(next.status).toBe('succeeded')
    expect(opened.server.jobs().at(-1)?.model).toBe(name)
    expect(await opened.models().get(next.model ?? '')).toMatchObject({ parent: model.id })

    const checkpoint = await opened.trainings().registerCheckpoint(id, 5)
    expect(await opened.models().get(checkpoint)).toMatchObject({ remote: { name: `${name}:ckpt-step-5` } })
    await expect(opened.models().materialize(checkpoint, '/nowhere')).rejects.toMatchObject({
      code: 'not_supported',
    })
    expect(opened.errors()).toEqual([])
  })

  test('makes one job, whatever answers are lost and whenever the service is ended', async () => {
    const opened = await openWithService()
    opened.server.fail('POST /v1/files', 'drop')
    opened.server.fail('POST /v1/fine_tuning/jobs', 'drop')
    const { id } = await opened.begin({ seed: waitingSeed })
    await opened.until(id, isAtStep(5))
    await opened.restart()
    opened.server.proceed()
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'succeeded', usage: { starts: 1 } })
    expect(opened.server.jobs()).toHaveLength(1)
  })

  test('is not failed by a service that is overloaded for long, and says what it waits for', async () => {
    const opened = await openWithService()
    const { id } = await opened.begin({ seed: waitingSeed })
    await opened.until(id, isAtStep(5))
    const route = `GET /v1/fine_tuning/jobs/${opened.server.jobs()[0]?.id}`
    opened.server.fail(route, { status: 429, headers: soon }, 4)
    const waiting = await opened.until(id, ({ log_tail }) => /did not answer/.test(log_tail.at(-1) ?? ''))
    expect(waiting.status).toBe('running')
    opened.server.proceed()
    expect((await opened.until(id, hasEnded)).status).toBe('succeeded')
    expect(opened.errors()).toEqual([])
  })

  test('is paused and resumed at the service', async () => {
    const opened = await openWithService()
    const { id } = await opened.begin({ seed: waitingSeed })
    await opened.until(id, isAtStep(5))
    await opened.trainings().pause(id)
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'paused', reason: 'asked' })
    await opened.trainings().resume(id)
    expect((await opened.until(id, hasEnded)).status).toBe('succeeded')
    expect(opened.server.jobs()).toHaveLength(1)
  })

  test('is stopped at its cap on time, by cancelling where the service cannot pause', async () => {
    const opened = await openWithService({ pauses: false })
    const { id } = await opened.begin({ seed: waitingSeed, limits: { time: 3 } })
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'paused', reason: 'time_limit' })
    expect(opened.server.jobs()[0]?.status).toBe('cancelled')
  })

  test('that would cost more than its cap is refused before anything is uploaded', async () => {
    const opened = await openWithService()
    await opened.addDataset('long', { request: { format: 'openai' }, contents: 'a long text '.repeat(100) })
    const asked = opened.begin({ datasets: [{ dataset: 'long' }], limits: { cost: 0.001 } })
    await expect(asked).rejects.toMatchObject({ param: 'limits.cost' })
    expect(opened.server.requests.filter((route) => route.startsWith('POST'))).toEqual([])
  })

  test('that failed is made anew when it is resumed, though the first try to make it is refused for now', async () => {
    const opened = await openWithService()
    const { id } = await opened.begin({ seed: waitingSeed })
    await opened.until(id, isAtStep(5))
    opened.server.cancel(opened.server.jobs()[0]?.id ?? '')
    expect(await opened.until(id, hasEnded)).toMatchObject({
      status: 'failed',
      reason: 'trainer_failed',
      error: expect.stringContaining('cancelled at the service'),
    })
    opened.server.fail('POST /v1/fine_tuning/jobs', { status: 503, headers: soon }, 3)
    opened.server.proceed()
    await opened.trainings().resume(id)
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'succeeded', usage: { starts: 2 } })
    expect(opened.server.jobs()).toHaveLength(2)
  })

  test('that is cancelled ends at the service and leaves no file there', async () => {
    const opened = await openWithService()
    const { id } = await opened.begin({ seed: waitingSeed })
    await opened.until(id, isAtStep(2))
    await opened.trainings().cancel(id)
    expect((await opened.until(id, hasEnded)).status).toBe('cancelled')
    expect(opened.server.jobs()[0]?.status).toBe('cancelled')
    await expect.poll(() => opened.server.files()).toEqual([])
  })
})
