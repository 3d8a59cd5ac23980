import { describe, expect, test } from 'vitest'
import { loopMarkdown } from '../../../shared/learn/loops/report/loop-markdown.ts'
import { shareWorld } from '../../support/open-test-world.ts'
import { driveNewLoop, oneRound } from './drive-loop.ts'
import type { FakeSettings } from './fake-service.ts'

const shared = shareWorld()

describe('promotion and stopping', () => {
  test('a model is promoted only if the paired interval lies above 0', async () => {
    const { loop } = await driveNewLoop(shared.world, oneRound, { gain: () => 0.05, tasks: 40 })
    expect(loop.rounds[1]?.outcome).toMatchObject({ promoted: false, against: 0 })
    expect(loop.rounds[1]?.outcome?.difference?.mean).toBeCloseTo(0.05)
    expect(loop.best).toEqual({ round: 0, model: 'model-base' })
    const better = await driveNewLoop(shared.world, oneRound, { gain: () => 0.3, tasks: 40 })
    expect(better.loop.best).toEqual({ round: 1, model: better.loop.rounds[1]?.model })
  })

  test('a gain on every task alike has no interval, and counts by the exact test', async () => {
    const { loop } = await driveNewLoop(shared.world, oneRound, { skill: 0, gain: () => 1, tasks: 20 })
    expect(loop.rounds[1]?.outcome).toMatchObject({ promoted: true, difference: { mean: 1, ci: null } })
    const few = await driveNewLoop(shared.world, oneRound, { skill: 0, gain: () => 1, tasks: 4 })
    expect(few.loop.rounds[1]?.outcome?.promoted).toBe(false)
  })

  test('the loop ends after so many rounds without a gain', async () => {
    const { loop } = await driveNewLoop(
      shared.world,
      { settings: { rounds: 10 }, patience: 2 },
      { gain: () => 0 },
    )
    expect(loop).toMatchObject({ status: 'succeeded', without_gain: 2, best: { round: 0 } })
    expect(loop.rounds).toHaveLength(3)
    expect(loop.reason).toContain('No gain in 2 rounds')
  })

  test('of several checkpoints the one that is best on the dev tasks is measured on the test tasks, once', async () => {
    const { loop, service } = await driveNewLoop(shared.world, {
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
    const { loop, own } = await driveNewLoop(shared.world, oneRound, {
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
    const { loop, own, service } = await driveNewLoop(shared.world, { ...oneRound, control: true }, { gain })
    const [round, control] = [...service.trainings.values()].map(({ request }) => request)
    expect(control?.base).toEqual(round?.base)
    expect(control?.hyperparameters).toEqual({ ...round?.hyperparameters, max_steps: 30 })
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

  test('has the hyperparameters of the round, or the warm start’s if the round trains pairs', async () => {
    const own = { learning_rate: 0.004, hyperparameters: { batch_size: 16 } }
    const warm = { warm_start_hyperparameters: { learning_rate: 0.01 } }
    const ofControl = async (rest: Parameters<typeof driveNewLoop>[1]) => {
      const { service } = await driveNewLoop(shared.world, { control: true, ...rest })
      return [...service.trainings.values()].at(-1)?.request.hyperparameters
    }
    const alike = await ofControl({ settings: { rounds: 1, ...own, ...warm } })
    expect(alike).toMatchObject({ learning_rate: 0.004, batch_size: 16, max_steps: 30 })
    const pairs = await ofControl({ recipe: 'eto', settings: { rounds: 1, ...own, ...warm } })
    expect(pairs).toEqual({ learning_rate: 0.01, max_steps: 30 })
  })

  test('of pairs stands in the report with its own hyperparameters beside those of the round', async () => {
    const settings = {
      rounds: 1,
      learning_rate: 0.004,
      hyperparameters: { batch_size: 16 },
      warm_start_hyperparameters: { learning_rate: 0.01 },
    }
    const warnings = async (recipe: 'eto' | 'rft') => {
      const { loop, own } = await driveNewLoop(shared.world, { recipe, control: true, settings })
      return (await own.report(loop.id)).warnings.filter((text) => text.includes('control'))
    }
    expect(await warnings('eto')).toEqual([
      'Round 1 trains by dpo and its control by sft: learning_rate 0.004, batch_size 16 beside learning_rate 0.01, batch_size of the trainer.',
    ])
    expect(await warnings('rft')).toEqual([])
  })

  test('must be beaten for a promotion, unless the request says otherwise', async () => {
    const gain: FakeSettings['gain'] = () => 0.4
    const with_control = { ...oneRound, control: true }
    const { loop, own } = await driveNewLoop(shared.world, with_control, { gain })
    expect(loop.rounds[1]?.outcome).toMatchObject({
      promoted: false,
      over_control: { mean: 0 },
      reason: expect.stringContaining('against the control'),
    })
    expect(loop.best?.round).toBe(0)
    expect((await own.report(loop.id)).rounds[1]?.outcome?.promoted).toBe(false)
    const asked = await driveNewLoop(shared.world, { ...with_control, promote_over: 'best' }, { gain })
    expect(asked.loop.rounds[1]?.outcome).toMatchObject({ promoted: true })
    const better: FakeSettings['gain'] = ({ name }) => (name?.includes('control') ? 0.1 : 0.6)
    const beats = await driveNewLoop(shared.world, with_control, { gain: better, tasks: 40 })
    expect(beats.loop.rounds[1]?.outcome?.promoted).toBe(true)
  })

  test('needs rows of experts', async () => {
    await expect(
      driveNewLoop(shared.world, { recipe: 'step-dpo', control: true, experts: [] }),
    ).rejects.toMatchObject({
      param: 'experts',
    })
  })
})

test('the report leads from the best model back to nodes', async () => {
  const { loop, own } = await driveNewLoop(shared.world, oneRound)
  const { lineage } = await own.report(loop.id)
  const reached = new Set<string>([loop.rounds[1]?.model ?? ''])
  for (const id of reached) for (const { from, to } of lineage.edges) if (from === id) reached.add(to)
  const kinds = lineage.nodes.filter(({ id }) => reached.has(id)).map(({ kind }) => kind)
  expect(new Set(kinds)).toEqual(new Set(['model', 'training', 'dataset', 'run', 'trajectories', 'nodes']))
  expect(
    lineage.nodes.every(({ id }) => lineage.edges.some(({ from, to }) => from === id || to === id)),
  ).toBe(true)
})
