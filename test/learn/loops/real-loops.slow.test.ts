import { expect, test } from 'vitest'
import { type LoopRequestInput, loopRequestSchema } from '../../../shared/core/contracts/loop.ts'
import { type Run, type RunRequestInput, runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { loopMarkdown } from '../../../shared/learn/loops/report/loop-markdown.ts'
import { openRealService, type RealService } from './real-service.ts'

async function play({ own }: RealService, request: Partial<RunRequestInput>): Promise<Run> {
  const { id } = await own.runs.create(
    runRequestSchema.parse({
      environment: 'textcraft',
      method: { id: 'react' },
      model: { endpoint: 'skill-6', id: 'expert' },
      ...request,
    }),
  )
  for (;;) {
    const run = await own.runs.get(id)
    if (run.ended_at !== null) return run
    await new Promise((resolve) => setTimeout(resolve, 30))
  }
}

const search = { id: 'mcts', value: 'none', iterations: 4, samples: 3, max_depth: 8 }

const recipes: [string, Partial<LoopRequestInput>][] = [
  ['rft', { recipe: 'rft', settings: { rounds: 2, samples: 2, start_from: 'previous' } }],
  ['eto', { recipe: 'eto', settings: { rounds: 1 }, control: true }],
  ['agent-r', { recipe: 'agent-r', settings: { rounds: 1, method: search } }],
  [
    'exploratory',
    {
      recipe: 'exploratory',
      base: { registered: 'model-3' },
      settings: { method: { id: 'rmcts', value: 'judge', iterations: 4, max_steps: 8 } },
    },
  ],
  ['step-dpo', { recipe: 'step-dpo', settings: { rounds: 1, method: search } }],
]

test.each(recipes)('%s over real runs and datasets', async (_, rest) => {
  const service = await openRealService()
  const tasks = { train: { split: 'train', limit: 8 }, test: { split: 'test', limit: 10 } }
  const expert = await play(service, { tasks: tasks.train })
  const { id } = await service.ofTenant.create(
    loopRequestSchema.parse({
      environment: 'textcraft',
      base: { registered: 'model-0' },
      experts: [expert.id],
      tasks,
      patience: null,
      ...rest,
    }),
  )
  await service.follow(id)
  const loop = await service.ofTenant.get(id)
  expect(loop.reason).toContain('rounds were made')
  expect(loop.status).toBe('succeeded')
  const report = await service.ofTenant.report(id)
  for (const round of report.rounds) expect(round.evaluation?.episodes).toBe(10)
  expect(report.rounds.slice(1).every(({ rows }) => (rows ?? 0) > 0)).toBe(true)
  expect(report.lineage.nodes.some(({ kind }) => kind === 'nodes')).toBe(true)
  expect(loopMarkdown(report)).toContain('simulated model')
  for (const { datasets } of service.trainings) expect(datasets.length).toBeGreaterThan(0)
})
