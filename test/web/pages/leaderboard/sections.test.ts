import { createElement, type ReactElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter } from 'react-router'
import { expect, test } from 'vitest'
import { buildLeaderboard } from '../../../../shared/insight/reports/leaderboard/build-leaderboard.ts'
import { AverageSection } from '../../../../web/pages/leaderboard/average-section.tsx'
import { EnvironmentSection } from '../../../../web/pages/leaderboard/environment-section.tsx'
import { endedEpisode, erroredEpisode, stream } from '../../../builders/episodes.ts'
import { endedRun } from '../../../builders/runs.ts'

const render = (section: ReactElement) => renderToStaticMarkup(createElement(MemoryRouter, null, section))

const rowOf = (page: string, method: string) =>
  page
    .split('<tr>')
    .filter((row) => row.includes(`>${method}<`))
    .at(0)

test('a method with tasks that have no reward is shown without a place on the front and without an average', async () => {
  const played = (method: string, environment: string, hasGap = false) => ({
    run: endedRun(`${method}-${environment}`, { method: { id: method }, environment }),
    episodes: stream([
      hasGap ? erroredEpisode(0, 'task-0') : endedEpisode(0, 'task-0', 1),
      endedEpisode(1, 'task-1', 1),
    ]),
  })
  const leaderboard = await buildLeaderboard(
    [
      ...[played('react', 'textcraft'), played('react', 'pddl')],
      ...[played('act', 'textcraft', true), played('act', 'pddl')],
      played('mcts', 'pddl'),
    ],
    { simulated: false, selection: { experiment: 'depth' } },
  )
  const environment = leaderboard.environments.find((each) => each.environment === 'textcraft')
  if (environment === undefined) throw new Error('There is no column.')
  const table = render(createElement(EnvironmentSection, { leaderboard, environment }))
  expect(rowOf(table, 'act')).toContain('tasks unscored')
  expect(rowOf(table, 'act')).toContain('so the cell is on no front')
  expect(rowOf(table, 'react')).toContain('on it')
  // A plot needs two points.
  expect(table).not.toContain('Success against cost')
  const averages = render(createElement(AverageSection, { leaderboard }))
  expect(rowOf(averages, 'act')).toContain('tasks without a reward in an environment')
  expect(rowOf(averages, 'mcts')).toContain('not in every environment')
  expect(rowOf(averages, 'react')).toContain('on it')
})
