import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LoopRequestInput } from '../../shared/contracts/loop.ts'
import { loopRecipeIdSchema } from '../../shared/contracts/loop-settings.ts'
import { loopMarkdown } from '../../shared/loops/report/loop-markdown.ts'
import type { World } from '../../shared/world/ports.ts'
import { openOwnWorld } from '../support/open-test-world.ts'
import { driveLoops, loopRequest, makeLoop, openDrivenLoops } from './drive-loop.ts'
import { FakeService, type FakeSettings } from './fake-service.ts'

let world: World
let close: () => Promise<void>
beforeAll(async () => {
  const opened = await openOwnWorld()
  world = opened.world
  close = opened.close
})
afterAll(() => close())

async function make(rest: Partial<LoopRequestInput> = {}, settings: FakeSettings = {}) {
  const service = new FakeService(settings)
  const driven = openDrivenLoops(world, service.parts())
  const loop = await makeLoop(driven, loopRequest(rest))
  const own = driven.loops.of('default')
  const go = async (limits?: { cost?: number; time?: number }) => {
    await own.resume(loop.id, limits === undefined ? {} : { limits })
    await driveLoops(driven)
    return own.get(loop.id)
  }
  return { service, driven, loop, own, go }
}

const oneRound = { settings: { rounds: 1 } }

describe('recipes', () => {
  test.each(loopRecipeIdSchema.options)('%s comes to its end', async (recipe) => {
    const settings = recipe === 'rft' ? { settings: { start_from: 'previous' as const } } : {}
    const { loop, own, service } = await make({ recipe, patience: null, ...settings }, { gain: () => 0.2 })
    expect(loop).toMatchObject({ status: 'succeeded', best: { round: loop.progress.rounds } })
    expect(loop.rounds).toHaveLength(loop.progress.rounds + 1)
    expect(new Set(service.made).size).toBe(service.made.length)
    const report = await own.report(loop.id)
    const warm = recipe === 'eto' ? 1 : 0
    expect(report.rounds.map(({ evaluation }) => evaluation?.success_rate?.mean)).toEqual(
      loop.rounds.map((_, round) => expect.closeTo(0.2 * (round + warm + 1), 5)),
    )
  })

  test('eto trains with its betas and rates by round, on pairs with the expert, from the current model', async () => {
    const { service, loop } = await make({ recipe: 'eto', patience: null }, { gain: () => 0.2 })
    const trainings = [...service.trainings.values()].map(({ request }) => request)
    expect(
      trainings.map(({ recipe, hyperparameters: { beta, learning_rate } }) => [recipe, beta, learning_rate]),
    ).toEqual([
      ['sft', undefined, 2e-5],
      ['dpo', 0.1, 1e-6],
      ['dpo', 0.5, 5e-7],
      ['dpo', 0.5, 5e-7],
    ])
    expect(trainings.slice(1).map(({ base }) => base)).toEqual(
      loop.rounds.slice(0, 3).map(({ model }) => ({ registered: model })),
    )
    const pairs = [...service.datasets.values()].filter(({ kind }) => kind === 'preference')
    expect(pairs.map(({ experts, parameters }) => [experts, parameters.against])).toEqual(
      pairs.map(() => [['import-experts'], 'expert']),
    )
    const explored = [...service.runs.values()].filter(({ request }) => request.metadata.stage === 'explore')
    expect(
      explored.map(({ request }) => [request.model.temperature, request.epochs, request.tasks.split]),
    ).toEqual(explored.map(() => [0, 1, 'train']))
  })

  test('agent-r tightens its thresholds by round and mixes general conversations in', async () => {
    const { service } = await make(
      { recipe: 'agent-r', patience: null, general: ['import-general'] },
      { gain: () => 0.2 },
    )
    const built = [...service.datasets.values()]
    expect(
      built.map(({ kind, parameters, mix }) => [kind, parameters.alpha, parameters.beta, mix?.share]),
    ).toEqual([
      ['revision', 0.5, 0.2, 0.2],
      ['revision', 0.7, 0.2, 0.2],
      ['revision', 1, 0.2, 0.2],
    ])
    const epochs = [...service.trainings.values()].map(({ request }) => request.hyperparameters.epochs)
    expect(epochs).toEqual([3, 1, 1])
  })

  test('rows of earlier rounds and of the experts are trained on beside those of the round, with their shares', async () => {
    const { service, loop } = await make(
      {
        settings: { rounds: 2, earlier_rounds: 'all', expert_share: [0.5, 0.2], earlier_share: 0.3 },
        patience: null,
      },
      { gain: () => 0.3 },
    )
    expect(loop.status).toBe('succeeded')
    const [first, second] = [...service.trainings.values()].map(({ request }) => request.datasets)
    expect(first?.map(({ share }) => share)).toEqual([0.5, 0.5])
    expect(second?.map(({ share }) => share)).toEqual([0.5, 0.3, 0.2])
    expect(second?.[1]?.dataset).toBe(first?.[0]?.dataset)
    expect(second?.[2]?.dataset).toBe(first?.[1]?.dataset)
  })

  test('a training starts from the base, the model before, or the best, as its round says', async () => {
    const gains = [0.3, -0.2, 0.1]
    let trained = 0
    const { service, loop } = await make(
      { recipe: 'step-dpo', settings: { start_from: ['base', 'previous', 'best'] }, patience: null },
      { gain: () => gains[trained++] as number },
    )
    expect(loop.best?.round).toBe(3)
    expect([...service.trainings.values()].map(({ request }) => request.base)).toEqual([
      { registered: 'model-base' },
      { registered: loop.rounds[1]?.model },
      { registered: loop.rounds[1]?.model },
    ])
  })
})

describe('promotion and stopping', () => {
  test('a model is promoted only if the paired interval lies above 0', async () => {
    const { loop } = await make(oneRound, { gain: () => 0.05, tasks: 40 })
    expect(loop.rounds[1]?.outcome).toMatchObject({ promoted: false, against: 0 })
    expect(loop.rounds[1]?.outcome?.difference?.mean).toBeCloseTo(0.05)
    expect(loop.best).toEqual({ round: 0, model: 'model-base' })
    const better = await make(oneRound, { gain: () => 0.3, tasks: 40 })
    expect(better.loop.best).toEqual({ round: 1, model: better.loop.rounds[1]?.model })
  })

  test('a gain on every task alike has no interval, and counts by the exact test', async () => {
    const { loop } = await make(oneRound, { skill: 0, gain: () => 1, tasks: 20 })
    expect(loop.rounds[1]?.outcome).toMatchObject({ promoted: true, difference: { mean: 1, ci: null } })
    const few = await make(oneRound, { skill: 0, gain: () => 1, tasks: 4 })
    expect(few.loop.rounds[1]?.outcome?.promoted).toBe(false)
  })

  test('the loop ends after so many rounds without a gain', async () => {
    const { loop } = await make({ settings: { rounds: 10 }, patience: 2 }, { gain: () => 0 })
    expect(loop).toMatchObject({ status: 'succeeded', without_gain: 2, best: { round: 0 } })
    expect(loop.rounds).toHaveLength(3)
    expect(loop.reason).toContain('No gain in 2 rounds')
  })

  test('of several checkpoints the one that is best on the dev tasks is measured on the test tasks, once', async () => {
    const { loop, service } = await make({
      ...oneRound,
      candidates: 3,
      tasks: { dev: { split: 'dev' }, train: { split: 'train' }, test: { split: 'test' } },
    })
    const stages = loop.rounds[1]?.stages ?? []
    expect(stages.find(({ id }) => id === 'serve')?.facts).toMatchObject({ chosen_step: 20 })
    expect(loop.rounds[1]?.model).toMatch(/-step-20$/)
    const played = [...service.runs.values()].map(({ request }) => request.tasks.split)
    expect(played).toEqual(['test', 'train', 'dev', 'dev', 'dev', 'test'])
  })

  test.each([
    ['is high', (stage: string) => (stage === '1' ? 10 : 10), 'max_errored'],
    ['differs', (stage: string) => (stage === '1' ? 3 : 0), 'max_errored_difference'],
  ])('evaluations are not compared where the share of errored episodes %s', async (_, errored, bound) => {
    const { loop, own } = await make(oneRound, {
      errored: ({ metadata }) => (metadata.stage === 'evaluate' ? errored(String(metadata.round)) : 0),
    })
    const outcome = loop.rounds[1]?.outcome
    expect(outcome).toMatchObject({ promoted: false, difference: null })
    expect(outcome?.refused).toContain(bound)
    const report = await own.report(loop.id)
    expect(report.rounds[1]?.minus_start).toMatchObject({
      success_rate: null,
      reward: null,
      refused: outcome?.refused,
    })
    const page = loopMarkdown(report)
    expect(page).toContain('**Not compared.**')
    expect(page).toContain('refused')
  })
})

describe('the control', () => {
  test('is the same start, trained as long on the rows of the experts alone, on the same tasks', async () => {
    const gain: FakeSettings['gain'] = ({ name }) => (name?.includes('control') ? 0.1 : 0.4)
    const { loop, own, service } = await make({ ...oneRound, control: true }, { gain })
    const [round, control] = [...service.trainings.values()].map(({ request }) => request)
    expect(control?.base).toEqual(round?.base)
    expect(control?.hyperparameters.max_steps).toBe(30)
    expect(control?.datasets).toEqual([{ dataset: loop.rounds[0]?.stages[0]?.ref, split: 'train' }])
    const [tested, again] = [...service.runs.values()]
      .map(({ request }) => request)
      .filter(({ metadata: { round, stage } }) => round === '1' && stage?.startsWith('evaluate'))
    expect(again?.tasks).toEqual(tested?.tasks)
    expect(again?.seed).toBe(tested?.seed)
    const report = await own.report(loop.id)
    expect(report.control?.minus_start?.success_rate?.mean).toBeCloseTo(0.1)
    expect(report.control?.round_minus_control?.success_rate?.mean).toBeCloseTo(0.3)
    expect(loopMarkdown(report)).toContain('round 1 minus control')
  })

  test('needs rows of experts', async () => {
    await expect(make({ recipe: 'step-dpo', control: true, experts: [] })).rejects.toMatchObject({
      param: 'experts',
    })
  })
})

describe('faults and caps', () => {
  test('a training that fails pauses the loop with its reason, and resume tries the same one again', async () => {
    const service = new FakeService()
    const driven = openDrivenLoops(world, service.parts())
    service.trainingFault = { status: 'failed', error: 'The loss is not finite.' }
    const loop = await makeLoop(driven, loopRequest(oneRound))
    expect(loop).toMatchObject({ status: 'paused', progress: { round: 1, stage: 'train' } })
    expect(loop.reason).toContain('The loss is not finite.')
    service.trainingFault = null
    const own = driven.loops.of('default')
    await own.resume(loop.id)
    await driveLoops(driven)
    expect(await own.get(loop.id)).toMatchObject({ status: 'succeeded' })
    expect(service.trainings.size).toBe(1)
  })

  test('a dataset without rows pauses the loop, and resume builds a new one', async () => {
    const service = new FakeService({ rowsOf: () => [] })
    const driven = openDrivenLoops(world, service.parts())
    const loop = await makeLoop(driven, loopRequest({ recipe: 'step-dpo', ...oneRound }))
    expect(loop).toMatchObject({ status: 'paused', progress: { stage: 'build' } })
    expect(loop.reason).toContain('has no rows (left out: 40 failed)')
    service.settings.rowsOf = () => ['train-0']
    const own = driven.loops.of('default')
    await own.resume(loop.id)
    await driveLoops(driven)
    const ended = await own.get(loop.id)
    expect(ended.status).toBe('succeeded')
    expect(ended.rounds[1]?.stages.find(({ id }) => id === 'build')).toMatchObject({
      tries: 2,
      status: 'succeeded',
    })
    expect(service.made.filter((key) => key.includes('build'))).toEqual([
      'round/1/build',
      'round/1/build/try/2',
    ])
  })

  test('no row of a held-out task is trained on, from whatever source', async () => {
    const { loop, service } = await make(oneRound, { rowsOf: () => ['train-0', 'test-7'] })
    expect(loop).toMatchObject({ status: 'paused', progress: { stage: 'build-experts' } })
    expect(loop.reason).toContain('test-7')
    expect(service.trainings.size).toBe(0)
  })

  test('a base whose lineage holds held-out tasks ends the loop before anything is spent', async () => {
    const service = new FakeService()
    service.skills.set('model-leaky', 0.5)
    const driven = openDrivenLoops(world, service.parts())
    const loop = await makeLoop(driven, loopRequest({ base: { registered: 'model-leaky' } }))
    expect(loop).toMatchObject({ status: 'failed', rounds: [] })
    expect(loop.reason).toContain('test-3')
    expect(service.made).toEqual([])
  })

  test('what is left of the caps is passed down, and reaching one pauses the loop', async () => {
    const { loop, service, go } = await make(
      { ...oneRound, limits: { cost: 0.8, time: 1000 } },
      { cost: 0.5 },
    )
    const limits = [...service.runs.values()].map(({ request }) => request.limits)
    expect(limits[0]).toMatchObject({ cost: 0.8, time: expect.closeTo(1000, -2) })
    expect(limits[1]?.cost).toBeCloseTo(0.3)
    expect(loop).toMatchObject({ status: 'paused', usage: { cost: 0.8 } })
    expect(loop.reason).toContain('limits.cost')
    await expect(go({ cost: 0.7 })).rejects.toMatchObject({ param: 'limits.cost' })
    expect(await go({ cost: 5 })).toMatchObject({ status: 'succeeded', usage: { cost: 1.3 } })
  })

  test('a loop that has run for its time stops what is under way', async () => {
    const service = new FakeService()
    let now = Date.now()
    const clock = { ...world.clock, now: () => now }
    const driven = openDrivenLoops({ ...world, clock }, service.parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest({ ...oneRound, limits: { time: 60 } }))
    const pause = async () => {
      now += 20_000
    }
    await driveLoops(driven, { pause })
    const loop = await own.get(id)
    expect(loop).toMatchObject({ status: 'paused', reason: expect.stringContaining('limits.time') })
    await own.resume(id, { limits: { time: 100_000 } })
    await driveLoops(driven)
    expect((await own.get(id)).status).toBe('succeeded')
  })
})

describe('pause, resume, cancel', () => {
  async function begun() {
    const service = new FakeService()
    const driven = openDrivenLoops(world, service.parts())
    const own = driven.loops.of('default')
    const { id } = await own.create(loopRequest({ recipe: 'step-dpo', ...oneRound }))
    while (service.runs.size === 0) {
      const next = driven.queue.shift()
      if (next === undefined) throw new Error('Nothing is under way.')
      driven.queue.push(...(await driven.loops.handler.advance({ id, look: next.look, isRepeated: false })))
    }
    const run = () => [...service.runs.values()][0]
    return { service, driven, own, id, run }
  }

  test('a paused loop stops its run, and goes on with the same one', async () => {
    const { driven, id, own, run, service } = await begun()
    expect(await own.pause(id)).toMatchObject({ status: 'paused', reason: 'Paused by request.' })
    await driveLoops(driven)
    expect(run()?.status).toBe('paused')
    await own.resume(id)
    await driveLoops(driven)
    expect(await own.get(id)).toMatchObject({ status: 'succeeded' })
    expect(new Set(service.made).size).toBe(service.made.length)
  })

  test('a cancelled loop ends its run and begins nothing more', async () => {
    const { driven, id, own, run, service } = await begun()
    await own.cancel(id)
    await driveLoops(driven)
    expect(run()?.status).toBe('cancelled')
    expect(service.made).toHaveLength(1)
    expect(await own.get(id)).toMatchObject({ status: 'cancelled' })
    await expect(own.resume(id)).rejects.toMatchObject({ code: 'invalid_state' })
  })

  test('a run that was cancelled by hand pauses the loop, and resume plays a new one', async () => {
    const { driven, id, own, run, service } = await begun()
    Object.assign(run() as object, { status: 'cancelled' })
    await driveLoops(driven)
    expect(await own.get(id)).toMatchObject({
      status: 'paused',
      reason: expect.stringContaining('was cancelled'),
    })
    await own.resume(id)
    await driveLoops(driven)
    expect(await own.get(id)).toMatchObject({ status: 'succeeded' })
    expect(service.made.slice(0, 2)).toEqual(['round/0/evaluate', 'round/0/evaluate/try/2'])
  })

  test('of two messages about a loop only one has a successor', async () => {
    const { driven, id } = await begun()
    const [next] = driven.queue
    const advance = (isRepeated: boolean) =>
      driven.loops.handler.advance({ id, look: next?.look, isRepeated })
    const first = await advance(false)
    expect(first).toHaveLength(1)
    expect(await advance(false)).toEqual([])
    expect(await advance(true)).toEqual([{ ...first[0], delay: 1 }])
  })
})

describe('requests', () => {
  const create = async (rest: Partial<LoopRequestInput>) => {
    const driven = openDrivenLoops(world, new FakeService().parts())
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
    const driven = openDrivenLoops(world, new FakeService().parts())
    const own = driven.loops.of('default')
    const one = await own.create(loopRequest(), { idempotencyKey: 'k' })
    expect((await own.create(loopRequest(), { idempotencyKey: 'k' })).id).toBe(one.id)
    await expect(own.create(loopRequest({ seed: 1 }), { idempotencyKey: 'k' })).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    })
    await expect(driven.loops.of('other').get(one.id)).rejects.toMatchObject({ code: 'not_found' })
  })
})

test('the report leads from the best model back to nodes', async () => {
  const { loop, own } = await make(oneRound)
  const { lineage } = await own.report(loop.id)
  const reached = new Set<string>([loop.rounds[1]?.model ?? ''])
  for (const id of reached) for (const { from, to } of lineage.edges) if (from === id) reached.add(to)
  const kinds = lineage.nodes.filter(({ id }) => reached.has(id)).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['model', 'training', 'dataset', 'run', 'trajectories', 'nodes']))
  expect(
    lineage.nodes.every(({ id }) => lineage.edges.some(({ from, to }) => from === id || to === id)),
  ).toBe(true)
})

test('a plan names every stage before anything is made', async () => {
  const service = new FakeService()
  const own = openDrivenLoops(world, service.parts()).loops.of('default')
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
