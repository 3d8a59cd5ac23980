import { expect, test } from 'vitest'
import { groupByDifficulty, groupByLevel, groupByType } from '../../../shared/insight/reports/group-tasks.ts'
import { countEpisode, type TaskTally } from '../../../shared/insight/reports/task-tally.ts'
import { endedEpisode } from '../../builders/episodes.ts'

const facts = new Map([
  ['a', { type: 'depth-10', min_steps: 1 }],
  ['b', { type: 'depth-2', min_steps: 4 }],
  ['c', { type: 'depth-2', min_steps: 5 }],
  ['d', { type: 'depth-2' }],
  ['e', { type: 'depth-2', min_steps: 3 }],
])

function tally(...tasks: string[]): TaskTally[] {
  const tallies = new Map<string, TaskTally>()
  for (const [index, task] of tasks.entries())
    countEpisode(tallies, endedEpisode(index, task, task === 'b' ? 1 : 0))
  return [...tallies.values()]
}

test('groups by type in the order people count in, and leaves out what the environment no longer has', () => {
  const groups = groupByType(tally('a', 'b', 'c', 'gone'), facts, 't')
  expect(groups.map(({ name, tasks, episodes }) => ({ name, tasks, episodes }))).toEqual([
    { name: 'depth-2', tasks: 2, episodes: 2 },
    { name: 'depth-10', tasks: 1, episodes: 1 },
  ])
  expect(groups[0]?.success_rate).toMatchObject({ mean: 0.5, tasks: 2 })
})

test('groups by the least steps of a solution in bands that double, where they are known', () => {
  const groups = groupByDifficulty(tally('d', 'c', 'b', 'e', 'a'), facts, 't')
  expect(groups.map(({ name, tasks }) => `${name}: ${tasks}`)).toEqual([
    'up to 1 step: 1',
    '3–4 steps: 2',
    '5–8 steps: 1',
  ])
})

test('groups by the levels of the benchmark, and leaves tasks without one out of both', () => {
  const labelled = new Map([
    ['a', { type: 'x', level: 'hard' as const }],
    ['b', { type: 'x', level: 'easy' as const }],
    ['c', { type: 'x', level: 'hard' as const, min_steps: 1 }],
    ['d', { type: 'x' }],
  ])
  const groups = groupByLevel(tally('a', 'b', 'c', 'd', 'gone'), labelled, 't')
  expect(groups.map(({ name, success_rate, tasks }) => [name, tasks, success_rate.mean])).toEqual([
    ['easy', 1, 1],
    ['hard', 2, 0],
  ])
})
