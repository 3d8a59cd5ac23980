import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { unknownProvenance } from '../../../../shared/core/contracts/provenance.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { RunRow } from '../../../../web/pages/runs/run-row.tsx'
import { readShown } from '../../../../web/pages/runs/shown-fields.ts'
import { endedRun } from '../../../builders/runs.ts'

const facts = {
  method: undefined,
  environment: undefined,
  isSimulated: false,
  rate: undefined,
  isRateLost: false,
}

function textOf(
  run: Run,
  more: Partial<Parameters<typeof RunRow>[0]['facts']> = {},
  shown: readonly string[] = [],
) {
  const row = createElement(RunRow, {
    run,
    facts: { ...facts, ...more },
    shown,
    isChosen: false,
    onChoose: () => undefined,
  })
  const table = createElement('table', null, createElement('tbody', null, row))
  const html = renderToStaticMarkup(createElement(MemoryRouter, null, table))
  return { html, text: html.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ') }
}

const run = endedRun('run-1')

test('a name is text, whatever it looks like', () => {
  const name = '<img src=x onerror=alert(1)>\u202eevil\u001b[2J'
  const { html } = textOf({ ...run, request: { ...run.request, name } })
  expect(html).not.toContain('<img')
  expect(html).toContain('&lt;img src=x onerror=alert(1)&gt;⟨U+202E⟩evil␛[2J')
})

test('fields of its request are shown where they are asked for, and left out where it has none', () => {
  const method = { id: 'mcts', iterations: 8 }
  const request = { ...run.request, method, metadata: { team: 'vision' }, seed: 3 } as Run['request']
  const shown = ['metadata.team', 'method.iterations', 'seed', 'roles.value.id', 'name.length']
  expect(textOf({ ...run, request }, {}, shown).text).toContain('team vision · iterations 8 · seed 3')
  expect(textOf({ ...run, request }, {}, shown).text).not.toContain('length')
  expect(readShown(new URLSearchParams('show= seed,,seed , method.id'))).toEqual(['seed', 'method.id'])
})

test('money and tokens stand against their limits, and tokens alone where there is no price', () => {
  const capped = { ...run, request: { ...run.request, limits: { cost: 5, tokens: 2000 } } }
  expect(textOf(capped).text).toContain('$1.25 of $5.00 1,000 of 2,000 tokens')
  expect(textOf({ ...run, usage: { ...run.usage, cost: null } }).text).toContain('– 1,000 tokens')
})

test('a run that goes on shows how far it is, with a success rate as soon as there is one', () => {
  const episodes = {
    ...run.episodes,
    total: 40,
    waiting: 20,
    active: 10,
    succeeded: 6,
    failed: 3,
    errored: 1,
  }
  const going = { ...run, status: 'running' as const, episodes }
  expect(textOf(going).html).toContain('aria-valuenow="25"')
  expect(textOf(going).text).toContain('10 / 40 1 ended with an error –')
  const ci = { lower: 0.35, upper: 0.88, level: 0.95 as const, method: 'wilson' }
  const success_rate = { mean: 2 / 3, stderr: 0.1, ci, count: 9, tasks: 9 }
  const rated = textOf(going, {
    rate: { run: 'run-1', success_rate, of: 'counts', provenance: unknownProvenance },
  })
  expect(rated.text).toContain('0.67 [0.35, 0.88]')
})

test('the origin of the data stands beside the number', () => {
  const provenance = { origin: 'generated' as const, about: 'households made for Espalier', pack: null }
  expect(textOf({ ...run, provenance }).html).toContain('Generated data: households made for Espalier.')
  expect(textOf({ ...run, provenance }).text).toContain('data: generated')
})

test('a success rate that could not be loaded says so, and none is missed where nothing has scored', () => {
  const lost = 'The success rate could not be loaded.'
  const scored = { ...run, episodes: { ...run.episodes, total: 1, succeeded: 1 } }
  expect(textOf(scored, { isRateLost: true }).html).toContain(lost)
  expect(textOf(scored).html).not.toContain(lost)
  expect(textOf(run, { isRateLost: true }).html).not.toContain(lost)
})

test('a run that asks for a dataset is marked, leads there, and is not compared', () => {
  const method = { id: 'judge-steps', dataset: 'dataset-1', kind: 'revision', parameters: {} }
  const { html, text } = textOf({ ...run, request: { ...run.request, method } })
  expect(text).toContain('judge-steps asks a model for a dataset')
  expect(html).toContain('href="/datasets/dataset-1"')
  expect(html).toMatch(/<input[^>]*disabled/)
})

test('a run that judges for a score is marked, leads to the run that it judges, and is not compared', () => {
  const method = { id: 'judge-rubric', scored_run: 'run-7', score: 'careful', rubric: 'Be careful.' }
  const { html, text } = textOf({ ...run, request: { ...run.request, method } })
  expect(text).toContain('judge-rubric asks a model for the score careful')
  expect(html).toContain('href="/runs/run-7"')
  expect(html).toMatch(/<input[^>]*disabled/)
})

test('the simulated model is marked', () => {
  expect(textOf(run, { isSimulated: true }).text).toContain('simulated model')
  expect(textOf(run).text).toContain('at openai')
})
