import { expect, test } from 'vitest'
import type { LoopRequestInput } from '../../shared/contracts/loop.ts'
import { shareWorld } from '../support/open-test-world.ts'
import { loopRequest, openDrivenLoops } from './drive-loop.ts'
import { FakeService } from './fake-service.ts'

const shared = shareWorld()

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
