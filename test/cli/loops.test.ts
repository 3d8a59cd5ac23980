import { describe, expect, test } from 'vitest'
import { buildLoopRequest } from '../../cli/build-loop-request.ts'
import { formatLoop, formatLoopPlan, formatLoopReport } from '../../cli/format-loop.ts'
import { runCli } from '../../cli/run-cli.ts'
import { loopRequestSchema } from '../../shared/core/contracts/loop.ts'
import { loopRequest, makeLoop, openDrivenLoops } from '../learn/loops/drive-loop.ts'
import { FakeService } from '../learn/loops/fake-service.ts'
import { openTestWorld } from '../support/open-test-world.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { recordingTerminal } from './recording-terminal.ts'

describe('the request of espalier loop', () => {
  test('is made of flags over a file', () => {
    const request = buildLoopRequest(
      'eto',
      {
        environment: 'alfworld',
        base: './tiny',
        policy: 'local:tiny:1b',
        expert: ['import-1'],
        train: 'train:0-200',
        testLimit: 50,
        set: ['learning_rate=[1e-6,5e-7]', 'margin=0.1'],
        rounds: 2,
        patience: 'none',
        control: true,
        maxCost: 20,
      },
      { seed: 3, settings: { margin: 0.3, samples: 2 }, tasks: { test: { split: 'test' } } },
    )
    expect(request).toEqual({
      recipe: 'eto',
      environment: 'alfworld',
      base: { folder: './tiny' },
      policy: { endpoint: 'local', id: 'tiny:1b' },
      experts: ['import-1'],
      tasks: { train: { split: 'train', range: [0, 200] }, test: { split: 'test', limit: 50 } },
      settings: { margin: 0.1, samples: 2, learning_rate: [1e-6, 5e-7], rounds: 2 },
      patience: null,
      control: true,
      limits: { cost: 20 },
      seed: 3,
    })
    expect(loopRequestSchema.safeParse(request).success).toBe(true)
  })

  test.each([
    ['model-06c5', { registered: 'model-06c5' }],
    ['/models/tiny', { folder: '/models/tiny' }],
    ['Qwen/Qwen3-0.6B', { hub: 'Qwen/Qwen3-0.6B' }],
  ])('takes the base %s', (base, expected) => {
    expect(buildLoopRequest('rft', { base, environment: 'pddl' }).base).toEqual(expected)
  })

  test.each([
    [{ trainLimit: 8 }, { split: 'train', limit: 8 }],
    [
      { train: 'practice', trainLimit: 8 },
      { split: 'practice', limit: 8 },
    ],
    [{}, { split: 'train' }],
  ])('names the training tasks of the split train unless it is to be another: %j', (flags, train) => {
    const request = buildLoopRequest('rft', { base: './tiny', environment: 'pddl', ...flags })
    expect(loopRequestSchema.parse(request).tasks.train).toEqual(train)
  })

  test.each([{ ids: ['task-1'] }, { generate: { count: 3 } }])(
    'gives no split to training tasks that are named or generated: %j',
    (train) => {
      const file = { tasks: { train } }
      const request = buildLoopRequest('rft', { base: './tiny', environment: 'pddl' }, file)
      expect(loopRequestSchema.parse(request).tasks.train).not.toHaveProperty('split')
    },
  )

  test('needs a base and an environment', () => {
    expect(() => buildLoopRequest('rft', { environment: 'pddl' })).toThrow('--base')
  })
})

test('a loop, its report and its plan are shown in lines that fit', async () => {
  const world = await openTestWorld()
  const driven = openDrivenLoops(world, new FakeService().parts())
  const loop = await makeLoop(driven, loopRequest({ control: true, settings: { rounds: 1 } }))
  const own = driven.loops.of('default')
  const report = formatLoopReport(await own.report(loop.id), 100)
  expect(report.join('\n')).toMatch(/control +0\.\d/)
  expect(report.join('\n')).toContain('round 1 minus control')
  expect(formatLoop(loop, 100).join('\n')).toContain('train-control')
  expect(formatLoopPlan(await own.plan(loopRequest()), 100).join('\n')).toContain('note ')
})

test('recipes are listed with the source of each setting', async () => {
  const terminal = recordingTerminal()
  const folder = await temporaryFolder()
  expect(await runCli(['loops', 'recipes', 'eto', '--folder', folder], terminal)).toBe(0)
  expect(terminal.outs.join('\n')).toContain('[0.1,0.5,0.5]')
  expect(terminal.outs.join('\n')).toContain('run_eto.sh')
})
