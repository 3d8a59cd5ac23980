import { describe, expect, test } from 'vitest'
import { openAiHyperparameters } from '../../../shared/learn/trainings/openai/job-request.ts'
import { resolveHyperparameters } from '../../../shared/learn/trainings/recipes.ts'
import {
  type TrainerJob,
  type TrainerState,
  TrainerUnreachableError,
} from '../../../shared/learn/trainings/trainer.ts'
import { serviceKey, waitingSeed } from '../../support/fine-tuning-server.ts'
import { openOpenAi } from './drivers.ts'

const jobsRoute = 'POST /v1/fine_tuning/jobs'
const hasEnded = ({ state }: TrainerState) => state !== 'running'
const soon = { 'retry-after-ms': '1' }

describe('a fine-tuning service', () => {
  test('gets the rows as one file, and what its API has a field for', async () => {
    const { trainer, job, server } = await openOpenAi({ more: { suffix: 'mine', learning_rate: 1e-4 } })
    const given = { epochs: 2, batch_size: 8, learning_rate: 2e-4 }
    const hyperparameters = resolveHyperparameters('sft', given, openAiHyperparameters('sft'))
    await trainer().start({ ...job, hyperparameters, seed: 5 })
    const [file] = server.files()
    expect(file?.text).toBe('{"messages":[]}\n{"messages":[]}\n')
    expect(server.jobs()).toMatchObject([
      {
        model: 'small-model',
        training_file: file?.id,
        seed: 5,
        metadata: { espalier_training: 'training-1', espalier_start: '1' },
        method: {
          type: 'supervised',
          supervised: { hyperparameters: { n_epochs: 2, batch_size: 8, learning_rate_multiplier: 2 } },
        },
      },
    ])
  })

  test('is given rows with pictures for models that it fine-tunes with them', async () => {
    const { trainer } = await openOpenAi()
    const sees = (hub: string) => trainer().seesPictures?.({ base: { hub }, recipe: 'sft' })
    expect(['gpt-4o-2024-08-06', 'gpt-4.1-2025-04-14', 'ft:gpt-4o-2024-08-06:me::1'].map(sees)).toEqual([
      null,
      null,
      null,
    ])
    expect(sees('gpt-4o-mini')).toContain('not fine-tuned with pictures')
  })

  test('is asked for pairs by the method dpo, with its beta', async () => {
    const { trainer, job, server } = await openOpenAi()
    const given = { beta: 0.5, learning_rate_multiplier: 0.3 }
    const hyperparameters = resolveHyperparameters('dpo', given, openAiHyperparameters('dpo'))
    await trainer().start({ ...job, recipe: 'dpo', hyperparameters })
    expect(server.jobs()[0]?.method).toEqual({
      type: 'dpo',
      dpo: { hyperparameters: { n_epochs: 3, learning_rate_multiplier: 0.3, beta: 0.5 } },
    })
  })

  test.each([
    ['schedule', 'cosine'],
    ['max_steps', 10],
    ['max_length', 4096],
    ['loss_on', 'all'],
  ])('has no field for %s, which is refused with the way out', (name, value) => {
    const resolve = () => resolveHyperparameters('sft', { [name]: value }, openAiHyperparameters('sft'))
    expect(resolve).toThrow(expect.objectContaining({ param: `hyperparameters.${name}` }))
    expect(resolve).toThrow(/leave|say/)
  })

  test.each<[string, Partial<TrainerJob>]>([
    ['base.folder', { base: { folder: '/models/mine' } }],
    ['base.revision', { base: { hub: 'small-model', revision: 'main' } }],
    ['checkpoint_steps', { checkpointSteps: 5 }],
    [
      'hyperparameters.learning_rate',
      { hyperparameters: { epochs: 1, learning_rate: 1e-5, learning_rate_multiplier: null } },
    ],
  ])('is not asked for what it cannot do: %s', async (param, given) => {
    const { trainer, job, server } = await openOpenAi()
    const { used: _, training: __, ...asked } = { ...job, ...given }
    await expect(trainer().check(asked)).rejects.toMatchObject({ code: 'invalid_request', param })
    expect(server.jobs()).toEqual([])
  })
})

describe('killed', () => {
  test('between the upload and the creation, it uploads nothing twice', async () => {
    const { trainer, job, server, reopen, until } = await openOpenAi()
    server.fail(jobsRoute, { status: 500, headers: soon })
    await expect(trainer().start(job)).rejects.toThrow(TrainerUnreachableError)
    expect([server.files().length, server.jobs().length]).toEqual([1, 0])
    reopen()
    expect(await trainer().look(job)).toMatchObject({ state: 'absent' })
    await trainer().start(job)
    expect((await until(hasEnded)).state).toBe('succeeded')
    expect([server.files().length, server.jobs().length]).toEqual([1, 1])
  })

  test.each([true, false])(
    'after the creation, whose answer was lost, it creates nothing twice (metadata kept: %s)',
    async (keepsMetadata) => {
      const { trainer, job, server, reopen, until } = await openOpenAi({ service: { keepsMetadata } })
      server.fail(jobsRoute, 'drop')
      await expect(trainer().start(job)).rejects.toThrow(TrainerUnreachableError)
      reopen()
      await trainer().start(job)
      expect(await until(hasEnded)).toMatchObject({ state: 'succeeded', usage: { starts: 1 } })
      expect(server.jobs()).toHaveLength(1)
    },
  )

  test('after a file was sent whose answer was lost, it is found again', async () => {
    const { trainer, job, server, reopen } = await openOpenAi()
    server.fail('POST /v1/files', 'drop')
    await expect(trainer().start(job)).rejects.toThrow(TrainerUnreachableError)
    reopen()
    await trainer().start(job)
    expect([server.files().length, server.jobs().length]).toEqual([1, 1])
  })
})

describe('a job', () => {
  test('costs what the service has counted, and until then an estimate that is said to be one', async () => {
    const { trainer, job, until } = await openOpenAi({ seed: waitingSeed })
    await trainer().start(job)
    const half = await until(({ progress }) => progress.step === 5)
    expect(half.progress).toMatchObject({ step: 5, steps: 10 })
    expect(half.warnings).toEqual([expect.stringContaining('estimated')])
    await trainer().stop(job, { atOnce: false })
    await trainer().start(job)
    const state = await until(({ state }) => state === 'succeeded')
    expect(state.usage.cost).toBeCloseTo((100 / 1e6) * 8, 12)
    expect(state.progress.tokens).toBe(100)
    expect(state.points.map(({ tokens }) => tokens)).toEqual([10, 20, 30, 40, 50, 60, 70, 80, 90, 100])
    expect(state.points[1]).toMatchObject({ loss: 0.5, accuracy: 0.5 })
    expect(state.tail.at(-1)).toBe('The job has successfully completed')
  })

  test('that fails has the service’s own code and words', async () => {
    const failsWith = { code: 'invalid_training_file', message: 'Line 3 is no chat.' }
    const { trainer, job, until } = await openOpenAi({ service: { failsWith } })
    await trainer().start(job)
    expect(await until(hasEnded)).toMatchObject({
      state: 'failed',
      error: { reason: 'trainer_failed', message: 'invalid_training_file: Line 3 is no chat.' },
    })
  })

  test('that someone else cancels is made anew only when that is asked for', async () => {
    const { trainer, job, server, until } = await openOpenAi({ seed: waitingSeed })
    await trainer().start(job)
    const { usage } = await until(({ progress }) => progress.step === 2)
    server.cancel(server.jobs()[0]?.id ?? '')
    expect(await until(hasEnded)).toMatchObject({
      state: 'cancelled',
      error: { message: expect.stringContaining('cancelled') },
    })
    // As where the same start is repeated after a kill.
    await trainer().start({ ...job, used: { seconds: 0, starts: 0 } })
    expect(server.jobs()).toHaveLength(1)
    await trainer().start({ ...job, used: usage })
    expect(server.jobs().map(({ metadata }) => metadata?.espalier_start)).toEqual(['1', '2'])
    expect(await until(({ usage }) => usage.starts === 2)).toMatchObject({ state: 'running' })
  })

  test('is cancelled where the service cannot pause', async () => {
    const { trainer, job, until } = await openOpenAi({ seed: waitingSeed, service: { pauses: false } })
    await trainer().start(job)
    await until(({ progress }) => progress.step === 5)
    await trainer().stop(job, { atOnce: false })
    expect((await until(hasEnded)).state).toBe('cancelled')
  })

  test('that is gone from the service is not paid again by itself', async () => {
    const { trainer, job } = await openOpenAi()
    expect(await trainer().look({ ...job, used: { seconds: 9, starts: 1 } })).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('paid anew') },
    })
  })

  test('leaves no file behind when it is released, also one that was never used', async () => {
    const { trainer, job, server } = await openOpenAi()
    server.fail(jobsRoute, { status: 503, headers: soon })
    await expect(trainer().start(job)).rejects.toThrow(TrainerUnreachableError)
    expect(server.files()).toHaveLength(1)
    await trainer().release(job.training)
    expect(server.files()).toEqual([])
  })
})

describe('a service that does not answer', () => {
  test.each([
    ['is overloaded', { status: 429, headers: soon }],
    ['fails', { status: 502, headers: soon }],
    ['no longer takes the key', { status: 401, code: 'invalid_api_key' }],
  ])('because it %s is asked again: nothing is known to be wrong with the job', async (_, fault) => {
    const { trainer, job, server, until } = await openOpenAi()
    await trainer().start(job)
    await trainer().look(job)
    server.fail(`GET /v1/fine_tuning/jobs/${server.jobs()[0]?.id}`, fault)
    await expect(trainer().look(job)).rejects.toThrow(TrainerUnreachableError)
    expect((await until(hasEnded)).state).toBe('succeeded')
  })

  test('is waited for as long as it says', async () => {
    const { trainer, job, server } = await openOpenAi()
    server.fail('GET /v1/files', { status: 429, headers: { 'retry-after': '7' } })
    await expect(trainer().start(job)).rejects.toMatchObject({ retryAfter: 7, status: 502 })
  })

  test('refuses a wrong key before anything is begun, and its words do not repeat the key', async () => {
    const { trainer, job } = await openOpenAi({ more: { api_key_env: 'ESPALIER_NO_SUCH_KEY' } })
    await expect(trainer().check(job)).rejects.toMatchObject({
      param: 'trainer',
      message: expect.stringContaining('ESPALIER_NO_SUCH_KEY is not set'),
    })
    const other = await openOpenAi()
    other.server.fail('GET /v1/fine_tuning/jobs', { status: 401, code: `no-${serviceKey}` })
    const refused = await other
      .trainer()
      .check(other.job)
      .then(() => '', String)
    expect(refused).toContain('refused')
    expect(refused).not.toContain(serviceKey)
  })

  test('refuses a model that cannot be tuned, and nothing is begun', async () => {
    const { trainer, job, server } = await openOpenAi()
    await expect(trainer().start({ ...job, base: { hub: 'not-for-tuning' } })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('model_not_available'),
    })
    expect(server.jobs()).toEqual([])
  })
})
