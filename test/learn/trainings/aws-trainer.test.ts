import { describe, expect, test } from 'vitest'
import type { TrainerState } from '../../../shared/learn/trainings/trainer.ts'
import { type SageMakerStandIn, waitingSeed } from '../../support/sage-maker.ts'
import { openAws } from './drivers.ts'

const hasEnded = ({ state }: TrainerState) => state !== 'running'
const steps = ({ points }: TrainerState) => points.map(({ step }) => step)
const allSteps = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
const atStep = (step: number) => (state: TrainerState) => state.progress.step === step

describe('a job of SageMaker', () => {
  test('is asked for with what its training is, on Spot, with a place for checkpoints', async () => {
    const { trainer, job, service, bucket } = await openAws()
    await trainer().start(job)
    const [request] = service.jobs()
    expect(request).toMatchObject({
      TrainingJobName: 'espalier-training-1-1',
      RoleArn: 'arn:aws:iam::123456789012:role/espalier-dev-trainings',
      EnableManagedSpotTraining: true,
      StoppingCondition: { MaxRuntimeInSeconds: 86_400, MaxWaitTimeInSeconds: 172_800 },
      CheckpointConfig: {
        S3Uri: 's3://data/sagemaker/training-1/checkpoints/',
        LocalPath: '/opt/ml/checkpoints',
      },
      OutputDataConfig: { S3OutputPath: 's3://data/sagemaker/training-1/output/', CompressionType: 'NONE' },
      ResourceConfig: { InstanceType: 'ml.g5.2xlarge', InstanceCount: 1, VolumeSizeInGB: 100 },
      HyperParameters: { training: 'training-1', recipe: 'sft', seed: '0', base: 'null', cap: 'max_runtime' },
    })
    const places = request?.InputDataConfig?.map((each) => each.DataSource?.S3DataSource?.S3Uri)
    expect(places).toEqual(['s3://data/sagemaker/training-1/rows/', 's3://data/sagemaker/training-1/base/'])
    // Every setting is one that SageMaker takes: a text of at most 2,500 characters.
    for (const value of Object.values(request?.HyperParameters ?? {})) expect(value.length).toBeLessThan(2500)
    const rows = `1-${'ab'.repeat(8)}-data-00001.jsonl.gz`
    const described = bucket.objects.get('sagemaker/training-1/rows/rows.json')?.toString() ?? ''
    expect(JSON.parse(described)).toEqual([
      { dataset: 'dataset-1', split: 'train', share: null, files: [rows] },
    ])
    expect([...bucket.objects.keys()]).toEqual(
      expect.arrayContaining([`sagemaker/training-1/rows/${rows}`, 'sagemaker/training-1/base/config.json']),
    )
  })

  test('is made once though the answer is lost, and nothing is sent twice', async () => {
    const { trainer, job, service, bucket, until, reopen } = await openAws()
    service.fail('CreateTrainingJob', 'drop')
    await expect(trainer().start(job)).rejects.toMatchObject({ transient: true })
    reopen()
    await trainer().start(job)
    expect(service.jobs()).toHaveLength(1)
    expect(new Set(bucket.uploads).size).toBe(bucket.uploads.length)
    expect(await until(hasEnded)).toMatchObject({ state: 'succeeded', usage: { starts: 1 } })
  })

  test('is made once by two services that start it at the same time', async () => {
    const { trainer, job, service, reopen } = await openAws({ seed: waitingSeed })
    const first = trainer()
    reopen()
    await Promise.all([first.start(job), trainer().start(job)])
    expect(service.jobs()).toHaveLength(1)
  })

  test('goes on from its last checkpoint after Spot has taken its machine back', async () => {
    const { trainer, job, service, until } = await openAws({ seed: waitingSeed })
    await trainer().start(job)
    await until(atStep(5))
    service.interrupt()
    service.proceed()
    const state = await until(hasEnded)
    expect(state).toMatchObject({ state: 'succeeded', error: null, usage: { starts: 1 } })
    expect(steps(state)).toEqual(allSteps)
    expect(state.warnings).toContainEqual(
      'Its machine was taken back once, and it went on from its last checkpoint.',
    )
    expect(service.jobs()).toHaveLength(1)
  })

  test('costs what is billed of it, and until then its time at the price on demand', async () => {
    const { trainer, job, until } = await openAws({ seed: waitingSeed })
    await trainer().start(job)
    const going = await until(atStep(3))
    // $36 an hour are a cent a second.
    expect(going.usage.cost).toBeCloseTo(going.usage.seconds / 100)
    expect(going.usage.seconds).toBeGreaterThan(0)
    await trainer().stop(job, { atOnce: false })
    const { usage } = await until(hasEnded)
    expect(usage.cost).toBeCloseTo((usage.seconds * 0.4) / 100)
  })

  test.each([
    [{ cost: 18, seconds: null }, 1800, 'cost_limit'],
    [{ cost: 18, seconds: 60 }, 60, 'time_limit'],
    [{ cost: null, seconds: null }, 600, 'max_runtime'],
  ] as const)('is stopped by SageMaker itself where its caps end: %j', async (limits, seconds, cap) => {
    const { trainer, job, service, until } = await openAws({
      seed: waitingSeed,
      more: { max_runtime: cap === 'max_runtime' ? 600 : 86_400 },
    })
    await trainer().start({ ...job, limits })
    expect(service.jobs()[0]).toMatchObject({
      StoppingCondition: { MaxRuntimeInSeconds: seconds },
      HyperParameters: { cap },
    })
    await until(atStep(5))
    service.end('Stopped', 'MaxRuntimeExceeded')
    const state = await until(hasEnded)
    expect(state).toMatchObject({ state: 'stopped', error: null })
    expect(state.reached).toBe(cap === 'max_runtime' ? undefined : cap)
    expect(state.checkpoints.map(({ step }) => step)).toEqual([2, 4, 5])
    await trainer().start({ ...job, used: state.usage, seed: 0 })
    expect(steps(await until(hasEnded))).toEqual(allSteps)
    expect(service.jobs()).toHaveLength(2)
  })

  test('fails where no Spot capacity comes in time, and says what to do', async () => {
    const { trainer, job, service, until } = await openAws()
    await trainer().start(job)
    service.end('Stopped', 'MaxWaitTimeExceeded')
    expect(await until(hasEnded)).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('set spot to false') },
    })
  })

  test('that someone stops in the console is not made again by itself', async () => {
    const { trainer, job, service, until } = await openAws({ seed: waitingSeed })
    await trainer().start(job)
    await until(atStep(5))
    service.stop()
    expect(await until(hasEnded)).toMatchObject({
      state: 'cancelled',
      error: { message: 'Its job was stopped at SageMaker.' },
    })
  })

  test.each<[NonNullable<SageMakerStandIn['endsWith']>, string]>([
    [{ code: 71, reason: 'not_finite', message: 'The loss was not finite at step 3.' }, 'not_finite'],
    [{ code: 72 }, 'out_of_memory'],
    [{ code: 70, message: 'ImportError: no module' }, 'trainer_failed'],
  ])('that fails says why, with the service’s words and the last lines: %j', async (end, reason) => {
    const { trainer, job, service, until } = await openAws()
    service.endsWith = end
    await trainer().start(job)
    const state = await until(hasEnded)
    const message = `AlgorithmError: ${end.message ?? 'Killed'}, exit code: ${end.code}`
    expect(state).toMatchObject({ state: 'failed', error: { reason, message }, tail: ['starting', 'step 2'] })
    // Started again it is another job, which is not judged by what the first one said.
    service.endsWith = null
    await trainer().start({ ...job, used: state.usage })
    expect((await trainer().look(job)).state).toBe('running')
    expect(await until(hasEnded)).toMatchObject({ state: 'succeeded', usage: { starts: 2 } })
  })

  test('whose program was killed has died, and fails by itself where the service has no machine', async () => {
    const { trainer, job, service, until } = await openAws()
    service.endsWith = { code: 137 }
    await trainer().start(job)
    expect(await until(hasEnded)).toMatchObject({ state: 'died', error: null })
    const other = await openAws()
    await other.trainer().start(other.job)
    other.service.end('Failed', 'Failed', 'CapacityError: Unable to provision requested ML compute capacity.')
    expect(await other.until(hasEnded)).toMatchObject({
      state: 'failed',
      error: { message: 'CapacityError: Unable to provision requested ML compute capacity.' },
    })
  })

  test('is looked at again later where the service is asked too often, or takes the rights away', async () => {
    const { trainer, job, service } = await openAws()
    await trainer().start(job)
    for (const name of ['ThrottlingException', 'AccessDeniedException', 'ValidationException']) {
      service.fail('DescribeTrainingJob', name)
      await expect(trainer().look(job)).rejects.toMatchObject({ transient: true })
    }
    expect((await trainer().look(job)).state).toBe('running')
  })

  test('that is refused names the trainer; one for which no machine is free is asked for again', async () => {
    const { trainer, job, service } = await openAws()
    service.fail('CreateTrainingJob', 'ValidationException')
    await expect(trainer().start(job)).rejects.toMatchObject({ code: 'invalid_request', param: 'trainer' })
    service.fail('CreateTrainingJob', 'ResourceLimitExceeded')
    await expect(trainer().start(job)).rejects.toMatchObject({ transient: true })
    await trainer().start(job)
    expect(service.jobs()).toHaveLength(1)
  })

  test('is started again only once the one before has gone', async () => {
    const { trainer, job, service, until } = await openAws({ seed: waitingSeed })
    await trainer().start(job)
    const { usage } = await until(atStep(5))
    service.lingers = 6
    await trainer().stop(job, { atOnce: true })
    expect((await trainer().look(job)).state).toBe('cancelled')
    await expect(trainer().start({ ...job, used: usage })).rejects.toThrow('is being stopped')
    await expect(trainer().release(job.training)).rejects.toThrow('is being stopped')
    await trainer().look(job)
    await trainer().start({ ...job, used: usage })
    expect(service.jobs()).toHaveLength(2)
  })

  test('leaves nothing in the bucket once it is released', async () => {
    const { trainer, job, until, bucket } = await openAws()
    await trainer().start(job)
    await until(hasEnded)
    await trainer().collect(job)
    await trainer().release(job.training)
    expect([...bucket.objects.keys()]).toEqual([])
  })

  test('takes a checkpoint that is whole in the bucket, and leaves one that is copied in part', async () => {
    const { trainer, job, until, bucket } = await openAws()
    await trainer().start(job)
    const { checkpoints } = await until(hasEnded)
    expect(checkpoints.at(-1)?.optimizer).not.toContain('optimizer.pt')
    expect([...bucket.objects.keys()].some((key) => key.includes('/checkpoint-2/'))).toBe(false)
    bucket.objects.delete('sagemaker/training-1/checkpoints/checkpoint-10/optimizer.pt')
    expect((await trainer().look(job)).checkpoints.map(({ step }) => step)).toEqual([6, 8])
  })
})
