import { QueryClient, QueryClientProvider, type UseQueryResult } from '@tanstack/react-query'
import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import type { Episode } from '../../../../shared/core/contracts/episode.ts'
import type { Report } from '../../../../shared/core/contracts/report.ts'
import type { Run } from '../../../../shared/core/contracts/run.ts'
import { noUsage } from '../../../../shared/core/contracts/usage.ts'
import { AnswerWarnings } from '../../../../web/components/answer-warnings.tsx'
import { EpisodeFigures } from '../../../../web/pages/episode/episode-figures.tsx'
import { episodeColumns, whyNoFigures } from '../../../../web/pages/run/episodes/episode-columns.tsx'
import { EpisodesSection } from '../../../../web/pages/run/episodes/episodes-section.tsx'
import { RunResults } from '../../../../web/pages/run/run-results.tsx'
import { makeRun } from '../../../builders/runs.ts'

// Modules that ask the service read the tab's key as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('location', { origin: 'http://espalier.test' })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
})

const cancelled: Episode = {
  id: 'ep-0000000',
  object: 'episode',
  run: 'run-1',
  index: 0,
  task: 'any',
  epoch: 0,
  purpose: 'play',
  status: 'cancelled',
  starts: 1,
  errors: 0,
  result: null,
}

function markupOf(element: ReactElement): string {
  const routed = createElement(MemoryRouter, null, element)
  return renderToStaticMarkup(createElement(QueryClientProvider, { client: new QueryClient() }, routed))
}

function textOf(element: ReactElement): string {
  return markupOf(element).replaceAll(/<[^>]*>/g, ' ')
}

test('a run that has ended without results does not say that they are still to come', () => {
  const empty = { data: { success_rate: { count: 0 }, mean_steps: null }, error: null }
  const results = (run: Run) =>
    markupOf(createElement(RunResults, { run, report: empty as unknown as UseQueryResult<Report> }))
  expect(results(makeRun({ episodes: { active: 2 } }))).toContain('No results yet')
  expect(results(makeRun({ status: 'cancelled', episodes: { cancelled: 2 } }))).toContain('No results<')
})

test('where an episode that was paid for has no figures, the table says why', () => {
  const columns = episodeColumns(makeRun({ status: 'cancelled' }))
  const cost = columns.find(({ name }) => name === 'Cost')
  expect(markupOf(createElement('div', null, cost?.cell(cancelled)))).toContain(whyNoFigures)
  expect(textOf(createElement(EpisodesSection, { run: makeRun({ episodes: { cancelled: 1 } }) }))).toContain(
    whyNoFigures,
  )
  expect(textOf(createElement(EpisodesSection, { run: makeRun({ episodes: { failed: 1 } }) }))).not.toContain(
    whyNoFigures,
  )
})

test('the filter by status has the words of the progress, and counts only what is known', () => {
  const filter = (run: Run) => markupOf(createElement(EpisodesSection, { run }))
  const going = filter(makeRun({ episodes: { waiting: 5, active: 2, succeeded: 1 } }))
  expect(going).toContain('label="not ended (7)"')
  expect(going).toContain('>waiting, queued<')
  expect(going).toContain('>solved (1)<')
  expect(filter(makeRun({ episodes: { waiting: 5 } }))).toContain('>waiting (5)<')
  expect(filter(makeRun({ status: 'paused', episodes: { active: 2 } }))).toContain('>waiting, held<')
})

test('an episode that did nothing has no length of a path, and many invalid actions can be read', () => {
  const result: NonNullable<Episode['result']> = {
    status: 'cancelled',
    reward: null,
    success: null,
    limit: null,
    error: null,
    steps: 0,
    nodes: 0,
    path_length: 0,
    primitive_steps: 0,
    progress_rate: null,
    grounding_accuracy: null,
    invalid_actions: 4312,
    unparsable: 0,
    usage: noUsage,
    working_seconds: 0,
    attempt: 1,
  }
  const text = textOf(createElement(EpisodeFigures, { episode: { ...cancelled, errors: 1, result } }))
  expect(text).not.toContain('to the answer')
  expect(text).toContain('4,312 invalid')
  expect(text).toContain('over 2 tries')
  expect(text).not.toContain('answers')

  const answers = { total: 40, cut: 12, empty: 0, filtered: 0, refused: 3, unparsable: 0 }
  const counted = { ...cancelled, result: { ...result, answers } }
  expect(textOf(createElement(EpisodeFigures, { episode: counted }))).toContain(
    'of 40\u00a0answers 12 cut at max_tokens, 3 refused',
  )
})

test('warnings of answers say what to change, and nothing stands where there are none', () => {
  const message =
    "38 % of the agent's answers (45 of 118) were cut at max_tokens: raise model.max_tokens (now 512)."
  const warning = { asked: 'policy', fault: 'cut', count: 45, total: 118, share: 45 / 118 } as const
  const warnings = [{ ...warning, param: 'model.max_tokens', message }]
  expect(textOf(createElement(AnswerWarnings, { warnings, of: 'mine' }))).toContain('raise model.max_tokens')
  expect(markupOf(createElement(AnswerWarnings, { warnings: [] }))).toBe('')
})
