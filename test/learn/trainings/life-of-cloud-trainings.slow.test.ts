import { describe, expect, test } from 'vitest'
import type { Training } from '../../../shared/core/contracts/training.ts'
import { SageMakerJobs } from '../../../shared/core/world/aws/sage-maker-jobs.ts'
import { openAwsTrainer } from '../../../shared/learn/trainings/aws/aws-trainer.ts'
import { MemoryBucket } from '../../support/memory-bucket.ts'
import { SageMakerStandIn, waitingSeed } from '../../support/sage-maker.ts'
import { awsConfiguration } from './drivers.ts'
import { openTestTrainings } from './open-test-trainings.ts'

const hasEnded = ({ status }: Training) => status !== 'queued' && status !== 'running'
const isAtStep = (wanted: number) => (training: Training) => training.progress.step >= wanted

async function openWithSageMaker() {
  const bucket = new MemoryBucket()
  const service = new SageMakerStandIn(bucket)
  const jobs = new SageMakerJobs(() => service.client, 'data')
  const opened = await openTestTrainings({
    others: (objects, folder) => [
      openAwsTrainer({
        id: 'cloud',
        configuration: awsConfiguration(),
        objects,
        folder,
        open: async () => ({ jobs, files: bucket, close: async () => undefined }),
        now: service.now,
      }),
    ],
  })
  await opened.addDataset('dataset-1')
  return {
    ...opened,
    bucket,
    service,
    begin: (given: Parameters<typeof opened.request>[0] = {}) =>
      opened.trainings().create(opened.request({ trainer: 'cloud', ...given })),
  }
}

describe('a training in jobs of SageMaker', () => {
  test('registers its model and its checkpoints, and leaves nothing there', async () => {
    const opened = await openWithSageMaker()
    const { id } = await opened.begin({ name: 'tuned' })
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({ status: 'succeeded', error: null, usage: { starts: 1 } })
    expect(training.checkpoints.map(({ step }) => step)).toEqual([6, 8, 10])
    const model = await opened.models().get(training.model ?? '')
    expect(model).toMatchObject({ name: 'tuned', format: 'safetensors', context_length: 64, remote: null })
    expect(await opened.trainings().metrics(id)).toHaveLength(10)
    expect(await opened.trainings().registerCheckpoint(id, 8)).toMatch(/^model-/)
    await expect.poll(() => [...opened.bucket.objects.keys()]).toEqual([])
  })

  test('whose service is killed again and again has one job, and loses no step, on Spot too', async () => {
    const opened = await openWithSageMaker()
    const { id } = await opened.begin({ seed: waitingSeed })
    for (const step of [1, 3, 5]) {
      await opened.until(id, isAtStep(step))
      await opened.restart()
    }
    opened.service.interrupt()
    opened.service.proceed()
    const training = await opened.until(id, hasEnded)
    expect(training).toMatchObject({ status: 'succeeded', usage: { starts: 1 } })
    expect(opened.service.jobs()).toHaveLength(1)
    const points = await opened.trainings().metrics(id)
    expect(points.map(({ step }) => step)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('is paused where its caps end, by this service or by SageMaker, and goes on with higher ones', async () => {
    const opened = await openWithSageMaker()
    const { id } = await opened.begin({ limits: { cost: 0.35 } })
    // $36 an hour: it is stopped while it trains, and then costs the 40 % that Spot bills.
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'paused', reason: 'cost_limit' })
    expect(opened.service.jobs()[0]?.StoppingCondition).toMatchObject({ MaxRuntimeInSeconds: 35 })
    await opened.trainings().resume(id, { limits: { cost: 9 } })
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'succeeded', usage: { starts: 2 } })

    const other = await opened.begin({ seed: waitingSeed, limits: { time: 3000 } })
    await opened.until(other.id, isAtStep(5))
    opened.service.end('Stopped', 'MaxRuntimeExceeded')
    expect(await opened.until(other.id, hasEnded)).toMatchObject({ status: 'paused', reason: 'time_limit' })
    opened.service.proceed()
    await opened.trainings().resume(other.id, { limits: { time: 6000 } })
    expect(await opened.until(other.id, hasEnded)).toMatchObject({ status: 'succeeded' })
  })

  test('that fails ends with the service’s words, and resumes from its last checkpoint', async () => {
    const opened = await openWithSageMaker()
    opened.service.endsWith = { code: 72, message: 'CUDA out of memory' }
    const { id } = await opened.begin()
    expect(await opened.until(id, hasEnded)).toMatchObject({
      status: 'failed',
      reason: 'out_of_memory',
      error: 'AlgorithmError: CUDA out of memory, exit code: 72',
      log_tail: ['starting', 'step 2'],
      checkpoints: [{ step: 2, has_optimizer: false }],
    })
    opened.service.endsWith = null
    await opened.trainings().resume(id)
    expect(await opened.until(id, hasEnded)).toMatchObject({ status: 'succeeded' })
    expect(await opened.trainings().metrics(id)).toHaveLength(10)
  })

  test('that is cancelled ends its job', async () => {
    const opened = await openWithSageMaker()
    const { id } = await opened.begin({ seed: waitingSeed })
    await opened.until(id, isAtStep(2))
    await opened.trainings().cancel(id)
    expect((await opened.until(id, hasEnded)).status).toBe('cancelled')
    await expect.poll(() => [...opened.bucket.objects.keys()]).toEqual([])
    expect(opened.service.calls).toContain('StopTrainingJob')
    expect(opened.service.jobs()).toHaveLength(1)
  })
})
