import { expect, test } from 'vitest'
import type { Run } from '../../../shared/core/contracts/run.ts'
import { differingSettings } from '../../../shared/insight/reports/differing-settings.ts'
import { endedRun } from '../../builders/runs.ts'

function runWith(request: Partial<Run['request']>): Run {
  const run = endedRun('run-1')
  return { ...run, request: { ...run.request, ...request } }
}

test('names every field that differs by its path, and no other', () => {
  const runs = [
    runWith({ name: 'one', seed: 1, method: { id: 'mcts', iterations: 8, samples: 4 } }),
    runWith({
      name: 'two',
      seed: 1,
      method: { id: 'mcts', iterations: 16, samples: 4 },
      metadata: { who: 'me' },
      episode_limits: { steps: 40 },
      roles: { value: { id: 'judge' } },
      tasks: { split: 'test', types: ['a', 'b'] },
    }),
  ]
  expect(differingSettings(runs)).toEqual([
    { field: 'method.iterations', values: [8, 16] },
    { field: 'tasks.types', values: [null, '["a","b"]'] },
    { field: 'roles.value.id', values: [null, 'judge'] },
    { field: 'episode_limits.steps', values: [null, 40] },
  ])
})

test('compares long texts by their digest', () => {
  const prompts = ['x'.repeat(500), `${'x'.repeat(499)}y`, 'x'.repeat(500)]
  const [setting, ...others] = differingSettings(prompts.map((text) => runWith({ prompts: { act: text } })))
  expect(others).toEqual([])
  expect(setting?.field).toBe('prompts.act')
  const [first, second, third] = setting?.values ?? []
  expect(first).toMatch(/^500 characters, digest \S{16}$/)
  expect(second).not.toBe(first)
  expect(third).toBe(first)
})

test('of runs that were asked for alike is empty', () => {
  expect(differingSettings([runWith({ name: 'a' }), runWith({ name: 'b' })])).toEqual([])
})
