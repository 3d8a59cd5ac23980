import { describe, expect, it } from 'vitest'
import { widthOf } from '../../cli/fit-text.ts'
import { formatComparison, formatReport } from '../../cli/format-report.ts'
import type { Comparison, Estimate, Report } from '../../shared/contracts/report.ts'
import { noUsage } from '../../shared/contracts/usage.ts'

function estimate(mean: number, lower: number, upper: number): Estimate {
  return { mean, stderr: 0.1, ci: { lower, upper, level: 0.95, method: 'wilson' }, count: 20, tasks: 20 }
}

const usage = { model_calls: 310, input_tokens: 1_200_000, output_tokens: 8_200, cost: 0.03124 }

const comparison: Comparison = {
  object: 'comparison',
  simulated: true,
  shared_tasks: 20,
  runs: [
    {
      run: 'run-1',
      name: 'quickstart react',
      method: 'react',
      model: 'simulated',
      success_rate: estimate(0.4, 0.22, 0.61),
      reward: estimate(0.4, 0.2, 0.6),
      usage,
      learning: noUsage,
      mean_steps: 9.5,
      mean_path_length: 9.5,
      difference: null,
    },
    {
      run: 'run-2',
      name: 'quickstart mcts',
      method: 'mcts',
      model: 'simulated',
      success_rate: estimate(0.85, 0.64, 0.95),
      reward: estimate(0.85, 0.69, 1),
      usage: { ...usage, cost: null },
      learning: noUsage,
      mean_steps: 88,
      mean_path_length: 7,
      difference: {
        success_rate: estimate(0.45, 0.2, 0.7),
        reward: estimate(0.45, 0.2, 0.7),
        won: 10,
        lost: 1,
        tied: 9,
      },
    },
  ],
}

const report: Report = {
  object: 'report',
  run: 'run-1',
  simulated: true,
  episodes: {
    total: 22,
    waiting: 0,
    active: 0,
    succeeded: 8,
    failed: 10,
    limited: 2,
    errored: 2,
    cancelled: 0,
  },
  success_rate: estimate(0.4, 0.22, 0.61),
  reward: estimate(0.4, 0.2, 0.6),
  progress_rate: estimate(0.55, 0.4, 0.7),
  grounding_accuracy: estimate(0.9, 0.85, 0.95),
  learning_episodes: 1,
  mean_steps: 9.5,
  mean_path_length: 4.5,
  mean_primitive_steps: 9,
  unparsable: 2,
  mean_nodes: 10.5,
  mean_tokens: 60_410,
  mean_cost: 0.00156,
  usage,
  lost_calls: 3,
  errors: Array.from({ length: 7 }, (_, index) => ({
    episode: `ep-000000${index}`,
    task: 'craft-stick',
    name: 'ModelError',
    message: 'no answer',
  })),
  limits: { steps: 2 },
  tasks: [
    {
      task: 'craft-stick',
      episodes: 1,
      scored: 1,
      successes: 1,
      mean_reward: 1,
      steps: 3,
      tokens: 1200,
      cost: 0.001,
    },
  ],
}

describe('reports for people', () => {
  it('sets runs side by side, with intervals, and says what the simulated model proves', () => {
    expect(formatComparison(comparison, 140)).toEqual([
      '20 shared tasks · model simulated · 95 % intervals',
      '',
      'run               method       success rate        mean reward  steps  path  calls  tokens      cost',
      'quickstart react  react   0.40 [0.22, 0.61]  0.40 [0.20, 0.60]    9.5   9.5    310   1.2 M   $0.0312',
      'quickstart mcts   mcts    0.85 [0.64, 0.95]  0.85 [0.69, 1.00]   88.0   7.0    310   1.2 M  no price',
      '',
      'mcts minus react: success +0.45 [0.20, 0.70], reward +0.45 [0.20, 0.70]',
      '  tasks won 10, lost 1, tied 9',
      '',
      'Played by the simulated model: these numbers prove plumbing, not quality.',
    ])
  })

  it('names models and runs where they tell the runs apart', () => {
    const [first, second] = comparison.runs
    if (first === undefined || second === undefined) throw new Error('There are two runs.')
    const runs = [first, { ...second, method: 'react', model: 'gpt-5-mini' }]
    const lines = formatComparison({ ...comparison, simulated: false, runs }, 140)
    expect(lines[2]).toContain('model')
    expect(lines[4]).toContain('gpt-5-mini')
    expect(lines[6]).toMatch(/^run-2 minus run-1: /)
    expect(lines.join()).not.toContain('simulated model')
  })

  it('says what a run spent on learning, beside the table that leaves it out', () => {
    const [first, second] = comparison.runs
    if (first === undefined || second === undefined) throw new Error('There are two runs.')
    const lines = formatComparison({ ...comparison, runs: [first, { ...second, learning: usage }] }, 140)
    expect(lines[5]).toBe('quickstart mcts learned before: 310 calls, 1.2 M tokens, $0.0312 more')
  })

  it('reports a run, and lists its errors apart from its means', () => {
    expect(formatReport(report, { width: 120 })).toEqual([
      'report of run-1 · Played by the simulated model: these numbers prove plumbing, not quality.',
      '',
      'success rate   0.40 [0.22, 0.61]   (20 episodes of 20 tasks, 95 % interval)',
      'mean reward    0.40 [0.20, 0.60]',
      'progress rate  0.55 [0.40, 0.70]',
      'grounding      0.90 [0.85, 0.95]   (actions that were valid)',
      'per episode    9.5 steps, 10.5 nodes, 60.4 k tokens, $0.0016',
      'answer path    4.5 actions of the agent, 9.0 environment steps',
      'in all         310 calls, 1.2 M tokens, $0.0312, 3 lost calls among them',
      'episodes       8 succeeded, 10 failed, 2 limited (2 by steps), 2 errored, 0 cancelled, 0 open',
      'learning       1 of the episodes learned for the others (in no mean)',
      'unparsable     2 answers in no form that could be read, asked for again',
      '',
      'errors (never counted in a mean)',
      ...[0, 1, 2, 3, 4].map((index) => `  ep-000000${index}  craft-stick  ModelError: no answer`),
      '  … 2 more',
      '  in full: espalier show run-1 ep-0000000',
    ])
  })

  it('adds the tasks where they are asked for, and keeps to the width', () => {
    const lines = formatReport(report, { width: 60, tasks: true })
    expect(lines.at(-1)).toBe('craft-stick     1/1    1.00    3.0   1,200  $0.0010')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60)
  })
})
