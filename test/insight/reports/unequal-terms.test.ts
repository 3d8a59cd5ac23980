import { describe, expect, test } from 'vitest'
import type { Run, RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { runRequestSchema } from '../../../shared/core/contracts/run.ts'
import { differingSettings } from '../../../shared/insight/reports/differing-settings.ts'
import { unequalTerms } from '../../../shared/insight/reports/unequal-terms.ts'

function warningsOf(...requests: Partial<RunRequestInput>[]) {
  const runs = requests.map((request) => ({
    request: runRequestSchema.parse({
      environment: 'alfworld',
      method: { id: 'react', max_steps: 20 },
      model: { endpoint: 'openai', id: 'small' },
      ...request,
    }) as Run['request'],
  }))
  return unequalTerms(runs, differingSettings(runs))
}

const model = { endpoint: 'openai', id: 'small' }

describe('the terms of a comparison', () => {
  test('are equal where only the method and its own parameters differ', () => {
    expect(
      warningsOf(
        {},
        { method: { id: 'mcts', iterations: 8, max_depth: 20 } },
        { model: { ...model, id: 'big' } },
      ),
    ).toEqual([])
  })

  test('are unequal where one method may play longer, whatever it calls that', () => {
    expect(
      warningsOf({ method: { id: 'react', max_steps: 8 } }, { method: { id: 'mcts', max_depth: 20 } }),
    ).toEqual([
      {
        term: 'horizon',
        field: 'method.max_steps or method.max_depth',
        values: [8, 20],
        message: 'Horizons differ (steps: 8, 20): a longer trajectory can reach what a shorter one cannot.',
      },
    ])
    expect(warningsOf({}, { method: { id: 'mcts' } })[0]?.values).toEqual([20, null])
  })

  test('take the horizon that a run recorded before what its method was given', () => {
    const request = (method: object) =>
      runRequestSchema.parse({ environment: 'alfworld', method, model }) as Run['request']
    const horizon = { parameter: 'max_depth', least: 20, most: 20, from: 'environment' as const }
    const runs = [
      { request: request({ id: 'react', max_steps: 20 }) },
      { request: request({ id: 'mcts' }), resolved: { horizon, parameters: {} } },
    ]
    expect(unequalTerms(runs, [])).toEqual([])
    const byTask = { horizon: { ...horizon, least: 10, most: 100 }, parameters: {} }
    expect(
      unequalTerms(
        [runs[0] as (typeof runs)[0], { ...(runs[1] as (typeof runs)[1]), resolved: byTask }],
        [],
      )[0]?.values,
    ).toEqual([20, '10 to 100 by task'])
  })

  test('are equal where one run states for a role what the other inherits', () => {
    expect(
      warningsOf({ model: { ...model, temperature: 1 } }, { roles: { value: { temperature: 1 } } }),
    ).toEqual([])
    const [warning] = warningsOf(
      { model: { ...model, temperature: 0 } },
      { roles: { value: { temperature: 1 } } },
    )
    expect(warning).toMatchObject({ field: 'model.temperature' })
  })

  test('are equal where one run says that it acts by text, and the other does not say', () => {
    expect(warningsOf({}, { method: { id: 'react', max_steps: 20, actions: 'text' } })).toEqual([])
  })

  test.each<[string, Partial<RunRequestInput>]>([
    ['temperature', { model: { ...model, temperature: 0 } }],
    ['answer_limit', { model: { ...model, max_tokens: 4096 } }],
    ['prompt_budget', { model: { ...model, max_prompt_tokens: 8000 } }],
    ['sampling', { model: { ...model, top_p: 0.9 } }],
    ['split', { tasks: { split: 'train' } }],
    ['environment', { environment_options: { scoring: 'best' } }],
    ['prompts', { prompts: { 'react.system': 'Play.' } }],
    ['episode_limits', { episode_limits: { steps: 5 } }],
    ['stop', { method: { id: 'react', max_steps: 20, style: 'eto' } }],
    ['stop', { model: { ...model, stop: ['\nObservation:'] } }],
    ['actions', { method: { id: 'react', max_steps: 20, actions: 'tools' } }],
    ['temperature', { roles: { value: { temperature: 0.2 } } }],
    ['sampling', { roles: { value: { top_p: 0.5 } } }],
    ['stop', { roles: { value: { stop: ['END'] } } }],
  ])('are unequal in %s', (term, request) => {
    const found = warningsOf({}, request)
    expect(found.map((warning) => warning.term)).toEqual([term])
    expect(found[0]?.message).toContain(found[0]?.field)
  })
})
