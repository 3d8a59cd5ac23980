import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import type { MethodInfo } from '../../../../shared/core/contracts/catalogue.ts'
import { unknownProvenance } from '../../../../shared/core/contracts/provenance.ts'
import type { ComparedRun, Comparison } from '../../../../shared/core/contracts/report.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { noUsage } from '../../../../shared/core/contracts/usage.ts'
import {
  NoSharedTasks,
  OtherPassports,
  UnequalTerms,
} from '../../../../web/pages/compare/comparison-notes.tsx'
import { CostSection } from '../../../../web/pages/compare/cost-section.tsx'
import { DifferenceSection } from '../../../../web/pages/compare/difference-section.tsx'
import { SettingsSection } from '../../../../web/pages/compare/settings-section.tsx'
import { estimate } from '../../charts/estimates.ts'

function compared(run: string, facts: Partial<ComparedRun> = {}): ComparedRun {
  return {
    run,
    name: null,
    method: 'react',
    model: 'simulated/simulated',
    provenance: unknownProvenance,
    success_rate: estimate(0.5, 0.4, 0.6),
    reward: estimate(0.5, 0.4, 0.6),
    answer_warnings: [],
    usage: noUsage,
    learning: noUsage,
    mean_steps: 8,
    mean_path_length: 8,
    mean_model_calls: estimate(8, 7, 9),
    mean_tokens: estimate(1000, 900, 1100),
    mean_cost: estimate(null),
    cost_per_success: null,
    on_front: false,
    difference: null,
    ...facts,
  }
}

const difference: NonNullable<ComparedRun['difference']> = {
  success_rate: estimate(0.25, 0.1, 0.4),
  reward: estimate(0.2, 0.1, 0.3),
  mean_model_calls: estimate(100, 50, 150),
  mean_tokens: estimate(1000, 500, 1500),
  mean_cost: estimate(null),
  won: 3,
  lost: 1,
  tied: 6,
  won_tasks: ['a', 'b', 'c'],
  lost_tasks: ['d'],
  sign_test: { better: 3, worse: 1, p_value: 0.625 },
}

const comparison: Comparison = {
  object: 'comparison',
  passport_differences: [],
  simulated: false,
  shared_tasks: 10,
  settings: [
    { field: 'method.id', values: ['react', 'mcts'] },
    { field: 'method.iterations', values: [null, 8] },
  ],
  warnings: [],
  runs: [
    compared('run-1', { name: 'baseline <b>' }),
    compared('run-2', { name: 'searched', success_rate: estimate(0.75), difference }),
  ],
}

function runWith(id: string, succeeded: number, status: Run['status']): Run {
  const episodes = {
    total: 10,
    waiting: 0,
    active: 0,
    succeeded,
    failed: 0,
    limited: 0,
    errored: 0,
    cancelled: 0,
  }
  return { id, status, episodes, request: { name: id } } as Run
}

describe('differences to the baseline', () => {
  const markup = renderToStaticMarkup(createElement(DifferenceSection, { comparison }))

  test('name the baseline as text, and show each other run with its sign', () => {
    expect(markup).toContain('baseline &lt;b&gt;')
    expect(markup).toContain('+0.25')
    expect(markup).toContain('[0.10, 0.40]')
  })

  test('leave out money where no run has a price', () => {
    expect(markup).toContain('difference in tokens')
    expect(markup).not.toContain('difference in cost')
  })
})

describe('quality against cost', () => {
  test('says that prices are missing in place of an empty plot', () => {
    const markup = renderToStaticMarkup(createElement(CostSection, { comparison, over: 'cost' }))
    expect(markup).toContain('No prices')
    expect(markup).not.toContain('<svg')
  })

  test('finds the front in what effort is counted in', () => {
    const dearer = compared('run-2', {
      name: 'worse',
      mean_model_calls: estimate(90),
      success_rate: estimate(0.1),
    })
    const runs = [comparison.runs[0] as ComparedRun, dearer]
    const markup = renderToStaticMarkup(
      createElement(CostSection, { comparison: { ...comparison, runs }, over: 'calls' }),
    )
    expect(markup).toContain('baseline &lt;b&gt; · front')
    expect(markup).not.toContain('worse · front')
  })
})

describe('settings', () => {
  const method = (id: string, ...names: string[]) =>
    ({
      id,
      parameters: { anyOf: [{ properties: Object.fromEntries(names.map((name) => [name, {}])) }] },
    }) as unknown as MethodInfo
  const methods = [method('react', 'max_steps'), method('mcts', 'max_steps', 'iterations')]
  const markupOf = (settings: Comparison['settings']) => {
    const [first, second] = comparison.runs as [ComparedRun, ComparedRun]
    const runs = [first, { ...second, method: 'mcts' }]
    return renderToStaticMarkup(
      createElement(SettingsSection, { comparison: { ...comparison, runs, settings }, methods }),
    )
  }

  test('say which run has none of one, and which has a method without it', () => {
    const markup = markupOf([
      { field: 'method.iterations', values: [null, 8] },
      { field: 'method.max_steps', values: [null, 30] },
      { field: 'model.temperature', values: [null, 1] },
    ])
    expect(markup).toContain('<span title="react has no such parameter">–</span>')
    expect(markup.match(/not set/g)).toHaveLength(2)
  })

  test('that are no parameters of the method stand first', () => {
    const markup = markupOf([
      { field: 'method.iterations', values: [null, 8] },
      { field: 'method.id', values: ['react', 'mcts'] },
      { field: 'tasks.split', values: ['train', 'test'] },
    ])
    const places = ['method.id', 'tasks.split', 'Parameters of the methods (1)', 'method.iterations'].map(
      (text) => markup.indexOf(text),
    )
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((left, right) => left - right))
  })

  test('of methods are folded where they are many', () => {
    const many = (count: number) =>
      Array.from({ length: count }, (_, at) => ({ field: `method.parameter_${at}`, values: [null, at] }))
    expect(markupOf(many(12))).toMatch(/<details[^>]* open/)
    expect(markupOf(many(13))).not.toMatch(/<details[^>]* open/)
  })

  test('that are all equal are said to be', () => {
    const equal = { ...comparison, settings: [] }
    expect(renderToStaticMarkup(createElement(SettingsSection, { comparison: equal, methods }))).toContain(
      'requests of the runs are the same',
    )
  })
})

describe('runs without shared tasks', () => {
  const markupOf = (runs: Run[]) => renderToStaticMarkup(createElement(NoSharedTasks, { runs }))

  test('are shown with those that have no reward, and why', () => {
    const markup = markupOf([runWith('scored', 5, 'succeeded'), runWith('capped', 0, 'paused')])
    expect(markup).toContain('capped has no episode with a reward: it is paused')
    expect(markup).not.toContain('scored has no')
  })

  test('or that they played different ones', () => {
    expect(markupOf([runWith('a', 5, 'succeeded'), runWith('b', 5, 'succeeded')])).toContain(
      'different tasks',
    )
  })
})

test('unequal terms are named before the differences, and nothing is where all are equal', () => {
  const message = 'Temperatures differ (model.temperature: 0, 1): another policy <b>.'
  const warning = { term: 'temperature' as const, field: 'model.temperature', values: [0, 1], message }
  const html = (warnings: Comparison['warnings']) =>
    renderToStaticMarkup(createElement(UnequalTerms, { comparison: { warnings } }))
  expect(html([warning])).toContain(
    'Temperatures differ (model.temperature: 0, 1): another policy &lt;b&gt;.',
  )
  expect(html([])).toBe('')
})

test('other passports are named with their fields, and nothing is shown where all are equal', () => {
  const html = (passport_differences: Comparison['passport_differences']) =>
    renderToStaticMarkup(createElement(OtherPassports, { comparison: { passport_differences } }))
  expect(html([{ field: 'method.layout', values: ['<eto>', null] }])).toContain(
    'method.layout: &quot;&lt;eto&gt;&quot;, not set',
  )
  expect(html([])).toBe('')
})
