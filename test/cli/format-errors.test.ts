import { expect, test } from 'vitest'
import { formatErrors } from '../../cli/format-errors.ts'
import { halfPlayedRun } from '../builders/runs.ts'

const { episodes: ends } = halfPlayedRun()
const episodes = { ...ends, errored: 7 }
const errors = [1, 2, 3, 4, 5].map((at) => ({
  episode: `ep-${at}`,
  task: 'any',
  name: 'ModelError',
  message: at === 5 ? 'The key is refused.' : `The endpoint answered 503 after ${at} s.`,
}))

test('each error comes once, with how many episodes it ended and the first of them', () => {
  expect(formatErrors({ episodes, errors }, 80)).toEqual([
    '7 ended with an error, in 2 ways; of the first 5:',
    '4 × ModelError: The endpoint answered 503 after 1 s.',
    '  ep-1, ep-2, ep-3 and 1 more',
    '1 × ModelError: The key is refused.',
    '  ep-5',
  ])
})

test('a run without errors has no lines', () => {
  expect(formatErrors({ episodes, errors: [] }, 80)).toEqual([])
})
