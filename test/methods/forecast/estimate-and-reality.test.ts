import { expect, onTestFinished, test } from 'vitest'
import { openService } from '../../../local/open-service.ts'
import type { Episode } from '../../../shared/contracts/episode.ts'
import type { RunEstimate } from '../../../shared/contracts/estimate.ts'
import type { List } from '../../../shared/contracts/list.ts'
import type { Run, RunRequestInput } from '../../../shared/contracts/run.ts'
import { endpointSchema } from '../../../shared/models/endpoint-configuration.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

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

test.each<[string, Partial<RunRequestInput>]>([
  ['react', {}],
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
])('%s stays within the most, and is then known from experience', async (_what, more) => {
  const service = await openPriced()
  const request = asked(more)
  const before = await service.estimate(request)
  expect(before).toMatchObject({ object: 'run_estimate', reckoned: { from: 'method', runs: [] } })
  expect((await service.runs()).data).toEqual([])

  const { run, episodes } = await service.play(request)
  expect(before.episodes.at_most).toBe(episodes.length)
  for (const amount of amounts) {
    expect(run.usage[amount], amount).toBeLessThanOrEqual(before[amount]?.at_most ?? -1)
    for (const { result } of episodes) {
      expect(result?.usage[amount], amount).toBeLessThanOrEqual(before.per_episode[amount]?.at_most ?? -1)
    }
  }

  const after = await service.estimate(request)
  expect(after.reckoned).toMatchObject({ from: 'earlier_runs', runs: [run.id], episodes: episodes.length })
  for (const amount of amounts) {
    const mean = (run.usage[amount] ?? 0) / episodes.length
    expect(after.per_episode[amount]?.expected, amount).toBeCloseTo(mean, amount === 'cost' ? 5 : 0.5)
    expect(after[amount]?.expected, amount).toBeCloseTo(run.usage[amount] ?? 0, amount === 'cost' ? 4 : 0)
    expect(after[amount]?.at_most).toBe(Math.max(before[amount]?.at_most ?? 0, after[amount]?.expected ?? 0))
  }
})
