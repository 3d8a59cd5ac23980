import { expect, test } from 'vitest'
import { formatRun, formatRuns } from '../../cli/format-run.ts'
import { episodeStatusWord, runWord } from '../../shared/core/client/status-words.ts'
import { makeRun } from '../builders/runs.ts'

test.each([
  ['succeeded', 'completed'],
  ['failed', 'failed'],
  ['paused', 'paused'],
])('a run that is %s is shown as %s', (status, word) => {
  expect(runWord(status)).toBe(word)
})

test.each([
  ['succeeded', 'play', 'solved'],
  ['failed', 'play', 'not solved'],
  ['succeeded', 'learn', 'completed'],
  ['errored', 'play', 'errored'],
])('an episode that is %s, to %s, is shown as %s', (status, purpose, word) => {
  expect(episodeStatusWord(status, purpose)).toBe(word)
})

test('a completed run that solved nothing is nowhere called a success', () => {
  const run = makeRun({ status: 'succeeded', episodes: { failed: 3 } })
  const text = [...formatRuns([run], 200), ...formatRun(run, 200)].join('\n')
  expect(text).toContain('completed')
  expect(text).toContain('3 not solved')
  expect(text).not.toContain('succeeded')
})
