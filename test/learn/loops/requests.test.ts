import { describe, expect, test } from 'vitest'
import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { LoopRequestInput } from '../../../shared/core/contracts/loop.ts'
import { checkPlanned } from '../../../shared/learn/trainings/check-planned.ts'
import { openLocalTrainer } from '../../../shared/learn/trainings/local/local-trainer.ts'
import type { Trainer } from '../../../shared/learn/trainings/trainer.ts'
import { shareWorld } from '../../support/open-test-world.ts'
import { openOpenAi } from '../trainings/drivers.ts'
import { loopRequest, openDrivenLoops } from './drive-loop.ts'
import { FakeService } from './fake-service.ts'

const shared = shareWorld()
const policy = { endpoint: 'simulated', id: 'simulated' }

const create = async (rest: Partial<LoopRequestInput>) => {
  const driven = openDrivenLoops(shared.world, new FakeService().parts())
  return driven.loops.of('default').create(loopRequest(rest))
}

test.each<[string, Partial<LoopRequestInput>, string]>([
  ['a setting of another recipe', { settings: { alpha: 0.5 } }, 'settings.alpha'],
  ['a base without a policy', { base: { hub: 'tiny' } }, 'policy'],
  ['checkpoints to choose from without dev tasks', { candidates: 2 }, 'tasks.dev'],
  ['training tasks of another split', { tasks: { train: { split: 'long' } } }, 'tasks.train'],
  [
    'tasks that are learned and decide',
    { candidates: 2, tasks: { dev: { split: 'train', limit: 3 } } },
    'tasks.dev',
  ],
  ['eto without an expert', { recipe: 'eto', experts: [] }, 'experts'],
  [
    'shares that leave nothing',
    { settings: { expert_share: 0.6, earlier_share: 0.5 } },
    'settings.expert_share',
  ],
  ['conversations among pairs', { recipe: 'step-dpo', general: ['import-1'] }, 'general'],
])('%s is refused', async (_, rest, param) => {
  await expect(create(rest)).rejects.toMatchObject({ param })
})

test('one key makes one loop', async () => {
  const driven = openDrivenLoops(shared.world, new FakeService().parts())
  const own = driven.loops.of('default')
  const one = await own.create(loopRequest(), { idempotencyKey: 'k' })
  expect((await own.create(loopRequest(), { idempotencyKey: 'k' })).id).toBe(one.id)
  await expect(own.create(loopRequest({ seed: 1 }), { idempotencyKey: 'k' })).rejects.toMatchObject({
    code: 'idempotency_key_reused',
  })
  await expect(driven.loops.of('other').get(one.id)).rejects.toMatchObject({ code: 'not_found' })
})

test('a plan names every stage before anything is made', async () => {
  const service = new FakeService()
  const own = openDrivenLoops(shared.world, service.parts()).loops.of('default')
  const plan = await own.plan(loopRequest({ recipe: 'eto', control: true, settings: { rounds: 2 } }))
  expect(plan.stages.map(({ round, stage }) => `${round} ${stage}`)).toEqual([
    '0 build-experts',
    '0 train-experts',
    '0 serve',
    '0 evaluate',
    '1 explore',
    '1 build',
    '1 train',
    '1 serve',
    '1 evaluate',
    '1 train-control',
    '1 serve-control',
    '1 evaluate-control',
    '2 explore',
    '2 build',
    '2 train',
    '2 serve',
    '2 evaluate',
  ])
  expect(service.made).toEqual([])
  expect(plan.cost).toBeNull()
})

test('a plan needs no trainer on this machine, and says that it is missing', async () => {
  const parts = new FakeService().parts()
  const message = 'The trainer is not installed on this machine.'
  const refuse = async () => {
    throw new EspalierError('not_supported', message, { param: 'trainer' })
  }
  const trainings = { ...parts.trainings, checkPlanned: refuse }
  const own = openDrivenLoops(shared.world, { ...parts, trainings }).loops.of('default')
  expect((await own.plan(loopRequest())).missing).toEqual([message])
  await expect(own.create(loopRequest())).rejects.toMatchObject({ code: 'not_supported' })
})

/** A loop of the trainers, with the real check of its trainings. */
const createWith = async (trainers: Trainer[], rest: Partial<LoopRequestInput>) => {
  const parts = new FakeService().parts()
  const known = new Map(trainers.map((trainer) => [trainer.info.id, trainer]))
  const checked: typeof parts = {
    ...parts,
    trainings: {
      ...parts.trainings,
      checkPlanned: (planned) => checkPlanned({ trainers: known, folders: [] }, planned),
    },
  }
  return openDrivenLoops(shared.world, checked).loops.of('default').create(loopRequest(rest))
}

describe('a loop whose trainings would be refused is refused when it is made, with the field', () => {
  const local = () => openLocalTrainer({ objects: shared.world.objects, folder: shared.world.name })
  test.each<[string, Partial<LoopRequestInput>, string]>([
    [
      'a hyperparameter of no recipe',
      { settings: { hyperparameters: { later: 1 } } },
      'settings.hyperparameters.later',
    ],
    ['a value of the wrong range', { settings: { learning_rate: 20 } }, 'settings.learning_rate'],
    [
      'a value of one round',
      { recipe: 'step-dpo', settings: { rounds: 2, learning_rate: [1e-6, 20] } },
      'settings.learning_rate',
    ],
    [
      'batches that do not divide',
      { settings: { hyperparameters: { batch_size: 5, micro_batch_size: 2 } } },
      'settings.hyperparameters.batch_size',
    ],
    [
      'those of the warm start',
      { settings: { warm_start: 'sft', warm_start_hyperparameters: { beta: 1 } } },
      'settings.warm_start_hyperparameters.beta',
    ],
    ['a trainer that is not there', { trainer: 'other' }, 'trainer'],
    ['a format that it does not read', { format: 'axolotl' }, 'format'],
    ['a folder that requests may not name', { base: { folder: '/models' }, policy }, 'base.folder'],
  ])('%s', async (_, rest, param) => {
    await expect(createWith([local()], rest)).rejects.toMatchObject({ param })
  })

  test('what a fine-tuning service has no field for, and the control that it cannot train', async () => {
    const { trainer } = await openOpenAi()
    const tuning = { trainer: 'tuning', format: 'openai', base: { hub: 'small-model' }, policy } as const
    const create = (rest: Partial<LoopRequestInput>) => createWith([trainer()], { ...tuning, ...rest })
    const scaled = { learning_rate: undefined, hyperparameters: { learning_rate_multiplier: 2 } }
    await expect(create({ settings: { hyperparameters: { schedule: 'linear' } } })).rejects.toMatchObject({
      param: 'settings.hyperparameters.schedule',
    })
    await expect(create({ settings: scaled, lora: {} })).rejects.toMatchObject({ param: 'lora' })
    await expect(create({ settings: scaled, control: true })).rejects.toMatchObject({ param: 'control' })
    expect(await create({ settings: scaled })).toMatchObject({ status: 'queued' })
  })
})
