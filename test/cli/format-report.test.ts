import { describe, expect, it } from 'vitest'
import { formatCurves } from '../../cli/commands/curves.ts'
import { widthOf } from '../../cli/fit-text.ts'
import { formatComparison } from '../../cli/format-comparison.ts'
import { formatReport } from '../../cli/format-report.ts'
import type { AnswerWarning } from '../../shared/core/contracts/answers.ts'
import type { Curves } from '../../shared/core/contracts/curve.ts'
import type { Provenance } from '../../shared/core/contracts/provenance.ts'
import type { Comparison, Estimate, Report } from '../../shared/core/contracts/report.ts'
import { noUsage } from '../../shared/core/contracts/usage.ts'

function estimate(mean: number, lower: number, upper: number): Estimate {
  return { mean, stderr: 0.1, ci: { lower, upper, level: 0.95, method: 'wilson' }, count: 20, tasks: 20 }
}

const usage = { model_calls: 310, input_tokens: 1_200_000, output_tokens: 8_200, cost: 0.03124 }

/** Short, so that it fits the narrowest table here. */
const provenance: Provenance = { origin: 'original', about: 'games', pack: null }
const cutWarning: AnswerWarning = {
  asked: 'policy',
  fault: 'cut',
  count: 45,
  total: 118,
  share: 45 / 118,
  param: 'model.max_tokens',
  message:
    "38 % of the agent's answers (45 of 118) were cut at max_tokens: raise model.max_tokens (now 512).",
}

const comparison: Comparison = {
  object: 'comparison',
  passport_differences: [],
  simulated: true,
  shared_tasks: 20,
  settings: [
    { field: 'method.id', values: ['react', 'mcts'] },
    { field: 'method.iterations', values: [null, 8] },
  ],
  warnings: [],
  runs: [
    {
      run: 'run-1',
      name: 'quickstart react',
      method: 'react',
      model: 'simulated',
      provenance,
      success_rate: estimate(0.4, 0.22, 0.61),
      reward: estimate(0.4, 0.2, 0.6),
      answer_warnings: [],
      usage,
      learning: noUsage,
      mean_steps: 9.5,
      mean_path_length: 9.5,
      mean_model_calls: estimate(15.5, 12, 19),
      mean_tokens: estimate(60_410, 50_000, 70_000),
      mean_cost: estimate(0.00156, 0.001, 0.002),
      cost_per_success: 0.0039,
      on_front: true,
      difference: null,
    },
    {
      run: 'run-2',
      name: 'quickstart mcts',
      method: 'mcts',
      model: 'simulated',
      provenance,
      success_rate: estimate(0.85, 0.64, 0.95),
      reward: estimate(0.85, 0.69, 1),
      answer_warnings: [],
      usage: { ...usage, cost: null },
      learning: noUsage,
      mean_steps: 88,
      mean_path_length: 7,
      mean_model_calls: estimate(15.5, 12, 19),
      mean_tokens: estimate(60_410, 50_000, 70_000),
      mean_cost: estimate(0.0021, 0.001, 0.003),
      cost_per_success: null,
      on_front: true,
      difference: {
        success_rate: estimate(0.45, 0.2, 0.7),
        reward: estimate(0.45, 0.2, 0.7),
        mean_model_calls: estimate(3.5, -1, 8),
        mean_tokens: estimate(0, -1, 1),
        mean_cost: estimate(0.00054, -0.0001234, 0.001),
        won: 10,
        lost: 1,
        tied: 9,
        won_tasks: ['craft-stick'],
        lost_tasks: [],
        sign_test: { better: 10, worse: 1, p_value: 0.01171875 },
      },
    },
  ],
}

const drawn = (k: number, pass_at_k: Estimate) => ({
  ...{ k, pass_at_k, pass_hat_k: estimate(0.1, 0.03, 0.3), best_of_k: estimate(0.8, 0.6, 0.9) },
})

const report: Report = {
  object: 'report',
  run: 'run-1',
  simulated: true,
  provenance,
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
  draws: [drawn(1, estimate(0.4, 0.22, 0.61)), drawn(4, estimate(0.7, 0.5, 0.85))],
  invalid_actions: { count: 17, share: estimate(0.081, 0.05, 0.11) },
  by_type: null,
  by_difficulty: null,
  mean_steps: 9.5,
  mean_path_length: 4.5,
  mean_primitive_steps: 9,
  unparsable: 2,
  answers: null,
  answer_warnings: [],
  mean_nodes: 10.5,
  mean_model_calls: 15.5,
  mean_tokens: 60_410,
  mean_cached_tokens: 0,
  mean_reasoning_tokens: 0,
  mean_working_seconds: 74,
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
      type: 'depth-1',
      episodes: 1,
      scored: 1,
      successes: 1,
      mean_reward: 1,
      mean_steps: 3,
      mean_tokens: 1200,
      mean_cost: 0.001,
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
      '                                                                         mean per episode',
      'run               method       success rate        mean reward  steps  path  calls  tokens     cost  per success',
      'quickstart react  react   0.40 [0.22, 0.61]  0.40 [0.20, 0.60]    9.5   9.5   15.5  60.4 k  $0.0016      $0.0039',
      'quickstart mcts   mcts    0.85 [0.64, 0.95]  0.85 [0.69, 1.00]   88.0   7.0   15.5  60.4 k  $0.0021            –',
      '',
      'total of the shared tasks, errors included',
      '  quickstart react: 310 calls, 1.2 M tokens, $0.0312',
      '  quickstart mcts: 310 calls, 1.2 M tokens, no price',
      '',
      'best for their money: quickstart react, quickstart mcts',
      '',
      'mcts minus react: success +0.45 [0.20, 0.70], reward +0.45 [0.20, 0.70]',
      '  per episode: calls +3.50 [-1.00, 8.00], dollars +0.00054 [-0.000123, +0.001]',
      '  tasks won 10, lost 1, tied 9 (sign test of success, 10 better and 1 worse: p = 0.012)',
      '',
      'what differs in their settings',
      'setting            quickstart react  quickstart mcts',
      'method.id          react             mcts',
      'method.iterations  –                 8',
      '',
      'Original data: games.',
      'Played by the simulated model: these numbers prove plumbing, not quality.',
    ])
  })

  it('names models and runs where they distinguish the runs', () => {
    const [first, second] = comparison.runs
    if (first === undefined || second === undefined) throw new Error('There are two runs.')
    const runs = [first, { ...second, method: 'react', model: 'gpt-5-mini' }]
    const lines = formatComparison({ ...comparison, simulated: false, runs }, 140)
    expect(lines[3]).toContain('model')
    expect(lines[5]).toContain('gpt-5-mini')
    expect(lines.filter((line) => line.startsWith('run-2 minus run-1: '))).toHaveLength(1)
    expect(lines.join()).not.toContain('simulated model')
  })

  it('says what a run spent on learning, beside the table that leaves it out', () => {
    const [first, second] = comparison.runs
    if (first === undefined || second === undefined) throw new Error('There are two runs.')
    const lines = formatComparison({ ...comparison, runs: [first, { ...second, learning: usage }] }, 140)
    expect(lines).toContain('quickstart mcts learned before: 310 calls, 1.2 M tokens, $0.0312 more')
  })

  it('says which terms were unequal, and whose data was played', () => {
    const message = 'Horizons differ (steps: 8, 20): a longer trajectory can reach what a shorter one cannot.'
    const warning = { term: 'horizon' as const, field: 'method.max_steps', values: [8, 20], message }
    const runs = comparison.runs.map((run) => ({
      ...run,
      provenance: { origin: 'generated' as const, about: 'households made for Espalier', pack: null },
    }))
    const lines = formatComparison({ ...comparison, runs, warnings: [warning] }, 140)
    expect(lines).toContain('unequal terms: a difference may come from these')
    expect(lines).toContain(`! ${message}`)
    expect(lines).toContain(
      'Generated data: households made for Espalier. These numbers do not compare with published ones.',
    )
    expect(formatComparison(comparison, 140).join('\n')).not.toContain('unequal terms')
  })

  it('reports a run, and lists its errors apart from its means', () => {
    expect(formatReport(report, { width: 120 })).toEqual([
      'report of run-1 · Played by the simulated model: these numbers prove plumbing, not quality.',
      'Original data: games.',
      '',
      'success rate   0.40 [0.22, 0.61]   (20 episodes of 20 tasks, 95 % interval)',
      'pass@4, ^4     0.70 [0.50, 0.85] that one of 4 succeeds, 0.10 [0.03, 0.30] that all do',
      'best of 4      0.80 [0.60, 0.90] (the best reward of 4 at a task)',
      'mean reward    0.40 [0.20, 0.60]',
      'progress rate  0.55 [0.40, 0.70]',
      'grounding      0.90 [0.85, 0.95]   (actions that were valid)',
      'invalid        17 actions, a share of 0.08 [0.05, 0.11]',
      'per episode    on average 9.5 steps, 10.5 nodes, 15.5 calls, 60.4 k tokens, $0.0016, 1 min 14 s',
      'answer path    4.5 actions of the agent, 9.0 environment steps, on average',
      'total          310 calls, 1.2 M tokens, $0.0312, 3 lost calls among them',
      'episodes       8 solved, 10 not solved, 2 out of steps or budget (2 by steps), 2 ended with an error, 0 cancelled, 0',
      '               open',
      'learning       1 of the episodes learned for the others (in no mean)',
      'unparsable     2 answers in no form that could be read, asked for again',
      '',
      'errors (never counted in a mean)',
      '  2 ended with an error, in one way:',
      '  7 × ModelError: no answer',
      '    ep-0000000, ep-0000001, ep-0000002 and 4 more',
      '  in full: espalier show run-1 ep-0000000',
    ])
  })

  it('warns of answers that were cut, in full on a narrow terminal too, and counts what else was wrong', () => {
    const answers = { total: 118, cut: 45, empty: 0, filtered: 0, refused: 1, unparsable: 0 }
    const lines = formatReport({ ...report, answers, answer_warnings: [cutWarning] }, { width: 60 })
    expect(lines.slice(3, 7)).toEqual([
      "warning        38 % of the agent's answers (45 of 118) were",
      '               cut at max_tokens: raise model.max_tokens',
      '               (now 512).',
      expect.stringMatching(/^success rate /),
    ])
    expect(lines).toContain('answers        118, of which 45 cut at max_tokens, 1 refused')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60)
  })

  it('names the run of a comparison whose answers were cut', () => {
    const [first, second] = comparison.runs
    if (first === undefined || second === undefined) throw new Error('There are two runs.')
    const runs = [first, { ...second, answer_warnings: [cutWarning] }]
    const lines = formatComparison({ ...comparison, runs }, 140)
    expect(lines.find((line) => line.startsWith('warning'))).toMatch(
      /^warning {8}quickstart mcts: 38 % .*: raise model\.max_tokens/,
    )
  })

  it('adds the tasks where they are asked for, and keeps to the width', () => {
    const lines = formatReport(report, { width: 60, tasks: true })
    expect(lines.at(-1)).toBe('craft-stick     1/1         1.00    3.0   1,200  $0.0010')
    for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(60)
  })

  it('says nothing of money where a price is missing, and of settings where they are the same', () => {
    const [first, second] = comparison.runs
    if (first === undefined || second === undefined) throw new Error('There are two runs.')
    const nothing = { mean: null, stderr: null, ci: null, count: 0, tasks: 0 }
    const unpriced = { ...second, mean_cost: nothing }
    const text = formatComparison({ ...comparison, settings: [], runs: [first, unpriced] }, 140).join('\n')
    expect(text).not.toContain('best for their money')
    const free = [first, second].map((run) => ({ ...run, mean_cost: estimate(0, 0, 0) }))
    expect(formatComparison({ ...comparison, runs: free }, 140).join('\n')).not.toContain('for their money')
    expect(text).not.toContain('settings')
  })

  it('shows types of task and difficulties where there are several', () => {
    const { draws, invalid_actions } = report
    const group = (name: string) => ({ ...report, name, tasks: 10, episodes: 10, draws, invalid_actions })
    const grouped = {
      ...report,
      by_type: [group('depth-1')],
      by_difficulty: [group('2 steps'), group('3–4 steps')],
    }
    const lines = formatReport(grouped, { width: 120 })
    expect(lines.slice(-3)).toEqual([
      'least steps of a solution  tasks       success rate        mean reward  steps  tokens     cost',
      '2 steps                       10  0.40 [0.22, 0.61]  0.40 [0.20, 0.60]    9.5  60.4 k  $0.0016',
      '3–4 steps                     10  0.40 [0.22, 0.61]  0.40 [0.20, 0.60]    9.5  60.4 k  $0.0016',
    ])
    expect(lines.join()).not.toContain('type of task')
  })

  it('shows what episodes without a reward cost', () => {
    const none: Estimate = { mean: null, stderr: null, ci: null, count: 0, tasks: 0 }
    const text = formatReport({ ...report, success_rate: none, reward: none }, { width: 120 }).join('\n')
    expect(text).toContain('(0 episodes of 0 tasks')
    expect(text).toMatch(/per episode .* tokens, \$0\.0016,/)
  })

  it('says why there is nothing to compare', () => {
    expect(formatComparison({ ...comparison, shared_tasks: 0 }, 140)[2]).toBe(
      'No task has an episode with a reward in every run.',
    )
  })

  it('sets curves side by side, with what they are read from', () => {
    const point = (budget: number, mean: number) => ({
      budget,
      success_rate: estimate(mean, 0.1, 0.6),
      reward: estimate(mean, 0.1, 0.6),
      ended: 1,
    })
    const curve = {
      object: 'curve' as const,
      method: 'mcts',
      model: 'openai/small',
      simulated: false,
      over: 'cost' as const,
      provenance,
    }
    const curves: Curves = {
      object: 'curves',
      simulated: false,
      over: 'cost',
      shared_tasks: 50,
      curves: [
        {
          ...curve,
          run: 'run-1',
          name: null,
          tasks: 50,
          episodes: { scored: 60, read: 60 },
          points: [point(0.002, 0.2), point(1.5, 0.4)],
        },
        {
          ...curve,
          run: 'run-2',
          name: 'wide',
          tasks: 50,
          episodes: { scored: 6000, read: 2000 },
          points: [point(0.002, 0.1), point(1.5, 0.5)],
        },
      ],
    }
    expect(formatCurves(curves, 100)).toEqual([
      'success rate once an episode has spent so many dollars · 50 shared tasks · 95 % intervals',
      '',
      'dollars              run-1               wide',
      '$0.0020  0.20 [0.10, 0.60]  0.10 [0.10, 0.60]',
      '  $1.50  0.40 [0.10, 0.60]  0.50 [0.10, 0.60]',
      '',
      'run-1: mcts, openai/small, 60 of 60 scored episodes read; in the end 0.40',
      'wide: mcts, openai/small, a sample of 50 tasks, 2000 of 6000 scored episodes read; in the end 0.50',
      '',
      'Original data: games.',
    ])
  })
})

it('says how much of the total is an upper bound, and which endpoint counts short', () => {
  const message = 'The endpoint "mine" counted 64 tokens of a prompt that has 250 at least.'
  const warning = { code: 'short_prompt_count' as const, endpoint: 'mine', model: 'small', message }
  const lines = formatReport(
    { ...report, bounds: { model_calls: 3, tokens: 4000, cost: 0.0012 }, warnings: [warning] },
    { width: 120 },
  )
  expect(lines).toContain(
    '               3 calls and $0.0012 of this are upper bounds: their answers were lost',
  )
  expect(lines.join('\n')).toContain(`warning        ${message}`)
})
