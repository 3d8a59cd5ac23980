import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { type SourceChoice, searchChoices } from '../../../../web/components/form/search-choices.ts'
import { SourcePicker } from '../../../../web/components/form/source-picker.tsx'
import { offeredRuns } from '../../../../web/pages/new-dataset/source-choices.ts'
import { halfPlayedRun } from '../../../builders/runs.ts'

const choice = (id: string, about = ''): SourceChoice => ({
  id,
  name: null,
  created_at: null,
  about,
  unready: null,
})
const ids = (choices: SourceChoice[]) => choices.map(({ id }) => id)

test('every word must be said somewhere, and what is chosen is always there, first', () => {
  const choices = [
    choice('run-1', 'mcts on textcraft'),
    choice('run-2', 'react on webshop'),
    choice('run-3', 'mcts'),
  ]
  expect(ids(searchChoices(choices, [], 'MCTS text'))).toEqual(['run-1'])
  expect(ids(searchChoices(choices, ['run-2'], 'mcts'))).toEqual(['run-2', 'run-1', 'run-3'])
  expect(ids(searchChoices(choices, [], ''))).toEqual(['run-1', 'run-2', 'run-3'])
})

test('a chosen source that is not among the offered is kept', () => {
  expect(searchChoices([choice('run-1')], ['run-0'], '')[0]).toMatchObject({
    id: 'run-0',
    about: 'not among the newest',
  })
})

test('sources of one name differ by their ids and by when they were made', () => {
  const name = 'again'
  const { request } = halfPlayedRun()
  const runs = ['run-1', 'run-2'].map((id, hour) =>
    halfPlayedRun({ id, request: { ...request, name }, created_at: `2026-11-21T0${hour}:00:00Z` }),
  )
  const markup = renderToStaticMarkup(
    createElement(SourcePicker, {
      name: 'Runs',
      choices: offeredRuns(runs),
      chosen: [],
      isCut: false,
      error: undefined,
      onChange: () => undefined,
    }),
  )
  for (const { id, created_at } of runs) {
    expect(markup).toContain(`>${id}</span>`)
    expect(markup).toContain(`dateTime="${created_at}"`)
  }
})

test('a run of which nothing has ended cannot be chosen', () => {
  const episodes = {
    total: 3,
    waiting: 2,
    active: 1,
    succeeded: 0,
    failed: 0,
    limited: 0,
    errored: 0,
    cancelled: 0,
  }
  expect(offeredRuns([halfPlayedRun({ episodes })])[0]?.unready).toBe('no episode has ended yet')
  expect(offeredRuns([halfPlayedRun({ episodes: { ...episodes, errored: 1 } })])[0]?.unready).toBeNull()
})

test('a run that asked a model for a dataset is no source', () => {
  const { request } = halfPlayedRun()
  const asking = halfPlayedRun({
    request: { ...request, method: { id: 'judge-steps', dataset: 'dataset-1' } },
  })
  expect(ids(offeredRuns([asking, halfPlayedRun({ id: 'run-2' })]))).toEqual(['run-2'])
})
