import { describe, expect, test } from 'vitest'
import { formatComparison } from '../../../cli/format-comparison.ts'
import { comparisonSchema } from '../../../shared/core/contracts/report.ts'
import { compareRuns } from '../../../shared/insight/reports/compare-runs.ts'
import { comparisonMarkdown } from '../../../shared/insight/reports/export/comparison-markdown.ts'
import { endedEpisode, erroredEpisode, learningEpisode, stream } from '../../builders/episodes.ts'
import { endedRun } from '../../builders/runs.ts'

const options = { simulated: false, interval: 't' as const }

describe('a comparison', () => {
  test('pairs runs on the tasks that all of them scored, and on no other', async () => {
    const found = await compareRuns(
      [
        {
          run: endedRun('run-1'),
          episodes: stream([
            endedEpisode(0, 'a', 0),
            endedEpisode(1, 'b', 1),
            endedEpisode(2, 'c', 0),
            endedEpisode(3, 'only-here', 1),
            endedEpisode(4, 'd', 0.2),
            endedEpisode(5, 'broken', 1),
          ]),
        },
        {
          run: endedRun('run-2'),
          episodes: stream([
            learningEpisode(9),
            endedEpisode(0, 'c', 1),
            endedEpisode(1, 'a', 1),
            endedEpisode(2, 'b', 0),
            endedEpisode(3, 'd', 0.4),
            erroredEpisode(4, 'broken'),
          ]),
        },
      ],
      options,
    )
    expect(comparisonSchema.parse(found)).toEqual(found)
    expect(found.shared_tasks).toBe(4)
    const [baseline, other] = found.runs
    expect(baseline).toMatchObject({ run: 'run-1', model: 'openai/small', difference: null })
    expect(baseline?.success_rate.mean).toBe(0.25)
    expect(baseline?.mean_path_length).toBe(4)
    expect(baseline?.usage).toEqual({ model_calls: 16, input_tokens: 360, output_tokens: 40, cost: 2 })
    expect(baseline?.learning).toEqual({ model_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 })
    expect(other?.learning).toEqual({ model_calls: 4, input_tokens: 90, output_tokens: 10, cost: 0.5 })
    expect(other?.usage.model_calls).toBe(16)
    // By hand: differences 1, −1, 1, 0; mean 1/4, deviation √(11/12), t(3) 3.182446.
    const difference = other?.difference
    expect(difference).toMatchObject({ won: 3, lost: 1, tied: 0 })
    expect(difference?.success_rate).toMatchObject({ mean: 0.25, count: 4, tasks: 4 })
    expect(difference?.success_rate.stderr).toBeCloseTo(Math.sqrt(11 / 12) / 2, 12)
    expect(difference?.success_rate.ci).toMatchObject({ lower: -1, upper: 1, method: 'paired-t' })
    expect(difference?.reward.mean).toBeCloseTo(0.3, 12)
    expect(difference?.reward.stderr).toBeCloseTo(Math.sqrt(2.68 / 12), 12)
    // Rewards from 0 to 1 cannot differ by more, whatever t says.
    expect(difference?.reward.ci).toMatchObject({ lower: -1, upper: 1, method: 'paired-t' })
    expect(difference).toMatchObject({ won_tasks: ['a', 'c', 'd'], lost_tasks: ['b'] })
    // Of the tasks that were solved in one run only, two were won and one lost.
    expect(difference?.sign_test).toEqual({ better: 2, worse: 1, p_value: 1 })
  })

  test('says what an episode and a success cost, and what no other run beats for its money', async () => {
    const usage = (cost: number | null, model_calls = 4) => ({
      model_calls,
      input_tokens: 10 * model_calls,
      output_tokens: 0,
      cost,
    })
    const costs = { cheap: [0.012, 0.03, 0.007, 0.02], dear: [0.02, 0.05, 0.006, 0.041] }
    const compared = (name: string, each: readonly (number | null)[], solved: number) => ({
      run: endedRun(name),
      episodes: stream(
        each.map((cost, task) =>
          endedEpisode(task, `task-${task}`, task < solved ? 1 : 0, { usage: usage(cost, task + 1) }),
        ),
      ),
    })
    const found = await compareRuns(
      [
        compared('cheap', costs.cheap, 2),
        compared('dear', costs.dear, 2),
        compared('free', [null, 0, 0, 0], 4),
      ],
      options,
    )
    expect(comparisonSchema.parse(found)).toEqual(found)
    expect(found.settings).toEqual([])
    const [cheap, dear, free] = found.runs
    expect(cheap?.cost_per_success).toBeCloseTo(0.069 / 2, 12)
    expect(cheap?.mean_cost.mean).toBeCloseTo(0.069 / 4, 12)
    expect(cheap?.mean_model_calls.mean).toBe(2.5)
    expect(found.runs.map(({ on_front }) => on_front)).toEqual([true, false, false])
    // SciPy 1.16.3, ttest_rel(dear, cheap).confidence_interval().
    expect(dear?.difference?.mean_cost.mean).toBeCloseTo(0.012, 12)
    expect(dear?.difference?.mean_cost.ci?.lower).toBeCloseTo(-0.004688889219042713, 9)
    expect(dear?.difference?.mean_cost.ci?.upper).toBeCloseTo(0.028688889219042713, 9)
    expect(dear?.difference?.mean_model_calls).toMatchObject({ mean: 0, stderr: 0 })
    expect(free).toMatchObject({ cost_per_success: null, mean_cost: { mean: null } })
    expect(free?.difference?.mean_cost.mean).toBeNull()
  })

  test('of a run with itself is a tie on every task', async () => {
    const episodes = [endedEpisode(0, 'a', 0), endedEpisode(1, 'b', 1), endedEpisode(2, 'b', 0)]
    const run = endedRun('run-1')
    const found = await compareRuns(
      [
        { run, episodes: stream(episodes) },
        { run, episodes: stream(episodes) },
      ],
      options,
    )
    expect(found.runs[1]?.difference).toMatchObject({
      won: 0,
      lost: 0,
      tied: 2,
      success_rate: { mean: 0, stderr: 0, ci: null },
    })
  })

  test('decides a task by success before reward, and by means where it was played often', async () => {
    const found = await compareRuns(
      [
        { run: endedRun('run-1'), episodes: stream([endedEpisode(0, 'a', 1), endedEpisode(1, 'a', 0)]) },
        {
          run: endedRun('run-2'),
          episodes: stream([endedEpisode(0, 'a', 0.9), endedEpisode(1, 'a', 0.9)]),
        },
      ],
      options,
    )
    expect(found.runs[1]?.difference).toMatchObject({
      won: 0,
      lost: 1,
      success_rate: { mean: -0.5, ci: null },
    })
    expect(found.runs[1]?.difference?.reward.mean).toBeCloseTo(0.4, 12)
  })

  test('of runs without a common task says so by zero tasks and nulls', async () => {
    const found = await compareRuns(
      [
        { run: endedRun('run-1'), episodes: stream([endedEpisode(0, 'a', 1)]) },
        { run: endedRun('run-2'), episodes: stream([endedEpisode(0, 'b', 1)]) },
      ],
      options,
    )
    expect(found.shared_tasks).toBe(0)
    expect(found.runs[1]).toMatchObject({ mean_steps: null, success_rate: { mean: null, tasks: 0 } })
  })

  test('of different environments is refused', async () => {
    const compared = ['textcraft', 'webshop'].map((environment) => ({
      run: endedRun(environment, { environment }),
      episodes: stream([]),
    }))
    await expect(compareRuns(compared, options)).rejects.toMatchObject({
      code: 'invalid_request',
      param: 'runs',
    })
  })

  test('over different data packs is refused, for their tasks may share names only', async () => {
    const compared = ['builtin', 'a'.repeat(32)].map((data) => ({
      run: endedRun(data, { environment: 'alfworld', data }),
      episodes: stream([]),
    }))
    await expect(compareRuns(compared, options)).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringContaining('different data'),
    })
  })
})

test('runs that differ only in their history rule have other passports, and the field comes first', async () => {
  const model = { endpoint: 'openai', id: 'small' }
  const runs = [
    { run: endedRun('run-1', { model }), episodes: stream([endedEpisode(0, 'a', 1)]) },
    {
      run: endedRun('run-2', { model: { ...model, max_prompt_tokens: 4000 } }),
      episodes: stream([endedEpisode(0, 'a', 0)]),
    },
  ]
  const found = await compareRuns(runs, options)
  expect(found.passport_differences).toEqual([{ field: 'model.max_prompt_tokens', values: [null, 4000] }])
  const markdown = comparisonMarkdown(found)
  expect(markdown.indexOf('- model.max_prompt_tokens: not set, 4000')).toBeGreaterThan(0)
  expect(markdown.indexOf('- model.max_prompt_tokens')).toBeLessThan(markdown.indexOf('success rate'))
  const lines = formatComparison(found, 120)
  expect(lines.slice(0, 2)).toEqual([
    '! Other passports: do not rank these runs together. They differ in:',
    '  model.max_prompt_tokens: not set, 4000',
  ])
})
