import { expect, test } from 'vitest'
import { formatLeaderboard } from '../../cli/format-leaderboard.ts'
import type { RunRequestInput } from '../../shared/core/contracts/run.ts'
import { buildLeaderboard } from '../../shared/insight/reports/leaderboard/build-leaderboard.ts'
import { endedEpisode, erroredEpisode, stream } from '../builders/episodes.ts'
import { endedRun } from '../builders/runs.ts'

const tasks = ['task-0', 'task-1', 'task-2']

function played(id: string, request: Partial<RunRequestInput>, errored = 0) {
  const episodes = tasks.map((task, at) =>
    at < errored ? erroredEpisode(at, task) : endedEpisode(at, task, 1),
  )
  return { run: endedRun(id, request), episodes: stream(episodes) }
}

test('rows without an average or a place on the front say the reason', async () => {
  const pddl = { environment: 'pddl' }
  const [act, mcts] = [{ method: { id: 'act' } }, { method: { id: 'mcts' } }]
  const leaderboard = await buildLeaderboard(
    [
      played('run-1', {}),
      played('run-2', pddl),
      played('run-3', act, 1),
      played('run-4', { ...act, ...pddl }),
      played('run-5', mcts),
    ],
    { simulated: false, selection: { experiment: 'depth' } },
  )
  const lines = formatLeaderboard(leaderboard, 200)
  const [table = '', average = ''] = lines.join('\n').split('Average of the environments')
  expect(table).toMatch(/^act .* 2\/3 .*tasks unscored$/m)
  expect(table).toMatch(/^act: 1 of 3 tasks have no reward and are in no rate, so the cell is on no front/m)
  expect(average).toMatch(/^react .*\*$/m)
  expect(average).toMatch(/^act .*tasks without a reward$/m)
  expect(average).toMatch(/^mcts .*not in every environment$/m)
})
