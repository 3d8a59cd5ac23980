import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import fc from 'fast-check'
import { createElement, Fragment, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test, vi } from 'vitest'
import { hitsExample } from '../../../functions/api/openapi/transcript-examples.ts'
import {
  type Episode,
  type EpisodeResult,
  episodeEndSchema,
  episodePurposeSchema,
  episodeStatusSchema,
} from '../../../shared/core/contracts/episode.ts'
import { runStatusSchema } from '../../../shared/core/contracts/run.ts'
import { noUsage } from '../../../shared/core/contracts/usage.ts'
import { EpisodeHead } from '../../../web/pages/episode/episode-head.tsx'
import { JudgePanel } from '../../../web/pages/label/judge-panel.tsx'
import { readLabelChoice } from '../../../web/pages/label/label-choice.ts'
import { LabelSettings } from '../../../web/pages/label/label-settings.tsx'
import { offeredRuns } from '../../../web/pages/new-dataset/source-choices.ts'
import { allowedActions } from '../../../web/pages/run/allowed-actions.ts'
import { episodeColumns } from '../../../web/pages/run/episodes/episode-columns.tsx'
import { EpisodesSection } from '../../../web/pages/run/episodes/episodes-section.tsx'
import { RunEndings } from '../../../web/pages/run/run-endings.tsx'
import { StatusBar } from '../../../web/pages/run/run-progress.tsx'
import { FilterBar } from '../../../web/pages/runs/filter-bar.tsx'
import { RunRow } from '../../../web/pages/runs/run-row.tsx'
import { HitCard } from '../../../web/pages/search/hit-card.tsx'
import { SearchBar } from '../../../web/pages/search/search-bar.tsx'
import { makeRun } from '../../builders/runs.ts'

// Modules that ask the service read the tab's key as they are loaded.
vi.hoisted(() => {
  vi.stubGlobal('sessionStorage', { getItem: () => null })
  vi.stubGlobal('location', { origin: 'http://espalier.test' })
  vi.stubGlobal('document', { visibilityState: 'visible', addEventListener: () => undefined })
})

/** The texts and titles of a component, as its reader sees them. */
function wordsOf(element: ReactElement, address = '/'): string {
  const routed = createElement(MemoryRouter, { initialEntries: [address] }, element)
  const client = new QueryClient()
  const markup = renderToStaticMarkup(createElement(QueryClientProvider, { client }, routed))
  const titles = [...markup.matchAll(/(?:title|aria-label|placeholder)="([^"]*)"/g)].map(([, text]) => text)
  return [markup.replaceAll(/<[^>]*>/g, ' '), ...titles].join(' ')
}

const apiWords = /\b(?:succeeded|limited|errored)\b/i

const counts = fc.record({
  succeeded: fc.nat(9),
  failed: fc.nat(9),
  limited: fc.nat(9),
  errored: fc.nat(9),
  cancelled: fc.nat(9),
  active: fc.nat(9),
  waiting: fc.nat(9),
})

const runs = fc
  .record({ status: fc.constantFrom(...runStatusSchema.options), episodes: counts })
  .map((state) => makeRun(state))

const results = fc
  .record({
    status: fc.constantFrom(...episodeEndSchema.options),
    limit: fc.constantFrom('steps', 'turns', 'tokens', 'cost', 'time', null),
    success: fc.option(fc.boolean()),
  })
  .map(
    (end): EpisodeResult => ({
      ...end,
      reward: null,
      error: null,
      steps: 1,
      nodes: 2,
      path_length: 1,
      primitive_steps: 1,
      progress_rate: null,
      grounding_accuracy: null,
      invalid_actions: 0,
      unparsable: 0,
      usage: noUsage,
      working_seconds: 1,
      attempt: 0,
    }),
  )

const episodes = fc
  .record({
    result: fc.option(results),
    open: fc.constantFrom('queued' as const, 'running' as const, null),
    purpose: fc.constantFrom(...episodePurposeSchema.options),
    starts: fc.nat(2),
  })
  .map(
    ({ open, purpose, result, starts }): Episode => ({
      id: 'ep-0000000',
      object: 'episode',
      run: 'run-1',
      index: 0,
      task: 'any',
      epoch: 0,
      purpose,
      status: episodeStatusSchema.parse(open ?? result?.status ?? 'queued'),
      starts,
      errors: 0,
      result,
    }),
  )

test('no part of a page shows an API value in place of a word for a run', () => {
  fc.assert(
    fc.property(runs, (run) => {
      const facts = {
        method: undefined,
        environment: undefined,
        isSimulated: false,
        rate: undefined,
        isRateLost: false,
      }
      const row = { run, facts, shown: [], isChosen: false, onChoose: () => undefined }
      const words = wordsOf(
        createElement(
          Fragment,
          null,
          createElement(RunEndings, { run, report: undefined }),
          createElement(StatusBar, { episodes: run.episodes, isPaused: run.status === 'paused' }),
          createElement(EpisodesSection, { run }),
          createElement(RunRow, row),
        ),
      )
      const offered = offeredRuns([run]).map(({ about }) => about)
      const shown = [words, ...offered, ...Object.values(allowedActions(run))].join(' ')
      expect(shown).not.toMatch(apiWords)
    }),
    { numRuns: 30 },
  )
})

test('no part of a page shows an API value in place of a word for an episode', () => {
  const nothing = () => undefined
  fc.assert(
    fc.property(episodes, fc.boolean(), (episode, isPaused) => {
      const columns = episodeColumns(makeRun({ status: isPaused ? 'paused' : 'running' }))
      const panel = {
        episode,
        choice: readLabelChoice(new URLSearchParams()),
        step: null,
        isHidden: false,
        isBusy: false,
        judgements: [],
        given: null,
        note: '',
        field: { current: null },
        onNote: nothing,
        onJudge: nothing,
        onSkip: nothing,
      }
      const words = wordsOf(
        createElement(
          Fragment,
          null,
          createElement(EpisodeHead, { episode }),
          createElement(JudgePanel, panel),
          ...columns.map(({ cell }) => cell(episode)),
        ),
      )
      expect(words).not.toMatch(/\b(?:succeeded|limited|errored|failed)\b/i)
    }),
    { numRuns: 50 },
  )
})

test.each(episodeEndSchema.options)(
  'a found passage of an episode that ended as %s says so in words',
  (outcome) => {
    const [hit] = hitsExample.data
    if (hit === undefined) throw new Error('The example has a hit.')
    expect(wordsOf(createElement(HitCard, { hit: { ...hit, outcome } }))).not.toMatch(
      /\b(?:succeeded|limited|errored|failed)\b/,
    )
  },
)

test('filters offer words, also for the value in the address, and keep the values of the API', () => {
  const choice = readLabelChoice(new URLSearchParams({ outcome: 'limited' }))
  const settings = {
    choice,
    faults: { name: null, by: null },
    names: [],
    onChange: () => undefined,
  }
  for (const status of runStatusSchema.options) {
    const words = wordsOf(createElement(FilterBar, { runs: [] }), `/?status=${status}`)
    expect(words).toContain('completed')
    expect(words).not.toMatch(apiWords)
  }
  for (const outcome of episodeEndSchema.options) {
    const words = wordsOf(createElement(SearchBar, { error: null }), `/?outcome=${outcome}`)
    expect(words).toContain('ended with an error')
    expect(words).not.toMatch(/\b(?:succeeded|limited|errored|failed)\b/)
  }
  expect(wordsOf(createElement(LabelSettings, settings))).not.toMatch(
    /\b(?:succeeded|limited|errored|failed)\b/,
  )
  expect(wordsOf(createElement(SearchBar, { error: null }), '/?outcome=constructor')).toContain('constructor')
})
