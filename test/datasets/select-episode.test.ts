import { expect, test } from 'vitest'
import { selectEpisode } from '../../shared/datasets/select-episode.ts'
import { endedEpisode, erroredEpisode, learningEpisode } from '../reports/episodes.ts'

test.each([
  ['failed', endedEpisode(0, 'a', 0)],
  ['limited', endedEpisode(0, 'a', 0.4, { status: 'limited' })],
  ['limited', endedEpisode(0, 'a', null, { status: 'limited' })],
  ['errored', erroredEpisode(0, 'a')],
  ['cancelled', endedEpisode(0, 'a', null, { status: 'cancelled' })],
  ['learned', learningEpisode(0)],
  ['learned', { ...endedEpisode(0, 'learn:boil', 1), purpose: 'learn' as const }],
  ['not_finished', { ...endedEpisode(0, 'a', 1), status: 'running' as const }],
  ['not_finished', { ...endedEpisode(0, 'a', 1), status: 'queued' as const, result: null }],
])('without a minimum, an episode that did not succeed is left out as %s', (reason, episode) => {
  expect(selectEpisode(episode, {})).toBe(reason)
})

test('an episode that a limit ended after it had succeeded is in', () => {
  const episode = endedEpisode(0, 'a', 1, { status: 'limited', success: true })
  expect(selectEpisode(episode, {})).toMatchObject({ reward: 1 })
})

test('a minimum replaces success: the reward alone decides', () => {
  expect(selectEpisode(endedEpisode(0, 'a', 0.5), { min_reward: 0.5 })).toMatchObject({ reward: 0.5 })
  expect(selectEpisode(endedEpisode(0, 'a', 0.4), { min_reward: 0.5 })).toBe('below_min_reward')
  expect(selectEpisode(endedEpisode(0, 'a', 1), { min_reward: 2 })).toBe('below_min_reward')
  expect(selectEpisode(erroredEpisode(0, 'a'), { min_reward: 0 })).toBe('errored')
  const unscored = endedEpisode(0, 'a', null, { status: 'limited' })
  expect(selectEpisode(unscored, { min_reward: 0 })).toBe('limited')
})
