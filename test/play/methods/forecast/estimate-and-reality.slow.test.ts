import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../../local/open-service.ts'
import { endpointSchema } from '../../../../shared/core/contracts/endpoint-configuration.ts'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import type { RunEstimate } from '../../../../shared/core/contracts/estimate.ts'
import type { List } from '../../../../shared/core/contracts/list.ts'
import type { Run, RunRequestInput } from '../../../../shared/core/contracts/run.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const prices = { '*': { input: 1, output: 4, request: 0.001 } }
const amounts = ['model_calls', 'input_tokens', 'output_tokens', 'cost'] as const

/** The whole service in this process, with a simulated model that has a price. */
async function openPriced() {
  const simulated = endpointSchema.parse({ kind: 'simulated', skill: 0.5, prices })
  const service = await openService({
    folder: await temporaryFolder(),
    endpoints: new Map([['simulated', simulated]]),
    log: () => {},
  })
  onTestFinished(() => service.close({ grace: 0 }))
  const get = async <Answer>(path: string) => (await (await service.app.request(path)).json()) as Answer
  const post = async <Answer>(path: string, request: RunRequestInput) => {
    const body = JSON.stringify(request)
    const headers = { 'Content-Type': 'application/json' }
    return (await (await service.app.request(path, { method: 'POST', headers, body })).json()) as Answer
  }
  return {
    estimate: (request: RunRequestInput) => post<RunEstimate>('/v1/runs?dry_run=true', request),
    runs: () => get<List<Run>>('/v1/runs'),
    async play(request: RunRequestInput) {
      const { id } = await post<Run>('/v1/runs', request)
      for (;;) {
        const run = await get<Run>(`/v1/runs/${id}`)
        if (run.status !== 'queued' && run.status !== 'running') {
          const episodes = await get<List<Episode>>(`/v1/runs/${id}/episodes?limit=1000`)
          return { run, episodes: episodes.data }
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}

const asked = (more: Partial<RunRequestInput>): RunRequestInput => ({
  environment: 'textcraft',
  tasks: { split: 'test', limit: 6 },
  method: { id: 'react' },
  model: { endpoint: 'simulated', id: 'simulated' },
  ...more,
})

const silent = { iterations: 3, branching: 2, proposals: 3, max_steps: 4 }
const small = { ...silent, verdicts: 2 }
const frontier = { budget: 4, max_depth: 2, branching: 2, proposals: 3, verdicts: 2, max_steps: 5 }
const steps = (most: number) => ({ episode_limits: { steps: most } })
const turns = (most: number) => ({ episode_limits: { turns: most } })

test.each<[string, Partial<RunRequestInput>]>([
  ['react', {}],
  ['react that calls tools', { method: { id: 'react', actions: 'tools' } }],
  ['react with short trajectories, twice', { method: { id: 'react', max_steps: 4 }, epochs: 2 }],
  ['react with a limit on turns', { episode_limits: { turns: 5 } }],
  ['react with a limit on steps', { episode_limits: { steps: 3 } }],
  ['react with a limit on tokens', { episode_limits: { tokens: 4000 } }],
  ['react with short prompts', { model: { endpoint: 'simulated', id: 'simulated', max_prompt_tokens: 900 } }],
  ['mcts', { method: { id: 'mcts', iterations: 4, samples: 3, max_depth: 8 } }],
  ['mcts that may go no deeper', { method: { id: 'mcts', iterations: 3, samples: 4, max_depth: 0 } }],
  ['mcts with one sample', { method: { id: 'mcts', iterations: 5, samples: 1, max_depth: 5 } }],
  ['mcts with a limit on steps', { method: { id: 'mcts' }, episode_limits: { steps: 30 } }],
  ['mcts with a limit on money', { method: { id: 'mcts' }, episode_limits: { cost: 0.05 } }],
  ['mcts by a judge', { method: { id: 'mcts', value: 'judge', ...small } }],
  [
    'mcts by a debate, for the whole task',
    { method: { id: 'mcts', value: 'debate', plan: 'whole-task', ...small } },
  ],
  ['mcts by a trained value', { method: { id: 'mcts', value: 'endpoint', ...silent, parallel: 2 } }],
  ['mcts by reward, with one tree', { method: { id: 'mcts', value: 'reward', ...silent, reuse: true } }],
  [
    'mcts whose root moves on',
    {
      method: {
        id: 'mcts',
        value: 'reward',
        plan: 'whole-task',
        ...silent,
        iterations: 12,
        advance_every: 3,
      },
    },
  ],
  [
    'mcts by a judge, with a limit on steps',
    { method: { id: 'mcts', value: 'judge', ...small }, ...steps(6) },
  ],
  [
    'mcts by a debate, with a limit on turns',
    { method: { id: 'mcts', value: 'debate', ...small }, ...turns(15) },
  ],
  [
    'reflexion',
    { method: { id: 'reflexion', train_steps: 4, train_tasks: 2, max_steps: 6, learn_by: 'environment' } },
  ],
  ['reflexion that tries again', { method: { id: 'reflexion', retry: 2, max_steps: 6 } }],
  ['code-as-policy', { method: { id: 'code-as-policy' } }],
  [
    'learnact',
    {
      method: {
        id: 'learnact',
        train_steps: 4,
        train_tasks: 2,
        candidates: 2,
        rounds: 1,
        learn_by: 'environment',
      },
    },
  ],
  ['best-of-n', { method: { id: 'best-of-n', attempts: 2, max_steps: 5, verdicts: 2 } }],
  [
    'best-of-n by a debate, one by one',
    { method: { id: 'best-of-n', attempts: 3, parallel: 1, max_steps: 3, value: 'debate' } },
  ],
  ['best-first', { method: { id: 'best-first', ...frontier } }],
  [
    'best-first without a look ahead',
    { method: { id: 'best-first', ...frontier, max_depth: 0, rubric: false } },
  ],
  ['tree-of-thoughts', { method: { id: 'tree-of-thoughts', ...frontier, value: 'debate', parallel: 3 } }],
  ['rmcts', { method: { id: 'rmcts', ...small, policy_likeness: -1, value_likeness: -1 } }],
  [
    'rmcts by a debate whose notes are found by vectors',
    {
      method: {
        id: 'rmcts',
        value: 'debate',
        ...small,
        policy_likeness: -1,
        value_likeness: -1,
        round_size: 2,
      },
      roles: { embedding: { id: 'simulated' }, value: { max_tokens: 100 }, reflection: { max_tokens: 1000 } },
    },
  ],
])('%s stays within the most, and is then known from experience', async (_what, more) => {
  const service = await openPriced()
  const request = asked(more)
  const before = await service.estimate(request)
  expect(before).toMatchObject({ object: 'run_estimate', basis: { from: 'method', runs: [] } })
  expect((await service.runs()).data).toEqual([])

  const { run, episodes } = await service.play(request)
  expect(before.episodes.at_most).toBe(episodes.length)
  expect(before.learning_episodes).toBe(run.learning_episodes)
  for (const amount of amounts) {
    expect(run.usage[amount], amount).toBeLessThanOrEqual(before[amount]?.at_most ?? -1)
    for (const { purpose, result } of episodes) {
      if (purpose === 'learn') continue
      expect(result?.usage[amount], amount).toBeLessThanOrEqual(before.per_episode[amount]?.at_most ?? -1)
    }
  }

  const after = await service.estimate(request)
  expect(after.basis).toMatchObject({ from: 'earlier_runs', runs: [run.id], episodes: episodes.length })
  for (const amount of amounts) {
    const mean = (run.usage[amount] ?? 0) / episodes.length
    const digits = amount === 'cost' ? 5 : 0.5
    if (run.learning_episodes === 0) {
      expect(after.per_episode[amount]?.expected, amount).toBeCloseTo(mean, digits)
    }
    const used = run.usage[amount] ?? 0
    // What learned and what played is divided as the method says, so roughly.
    const near = run.learning_episodes === 0 ? (amount === 'cost' ? 1e-4 : 0.5) : used / 10
    expect(Math.abs((after[amount]?.expected ?? 0) - used), amount).toBeLessThanOrEqual(near)
    expect(after[amount]?.at_most).toBe(Math.max(before[amount]?.at_most ?? 0, after[amount]?.expected ?? 0))
  }
})
