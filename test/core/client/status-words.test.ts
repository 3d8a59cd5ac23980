import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatRun, formatRuns } from '../../../cli/format-run.ts'
import { episodeEndWord, episodeStatusWord, workWord } from '../../../shared/core/client/status-words.ts'
import { datasetSchema } from '../../../shared/core/contracts/dataset.ts'
import { episodePurposeSchema, episodeStatusSchema } from '../../../shared/core/contracts/episode.ts'
import { loopStageSchema, loopStatusSchema } from '../../../shared/core/contracts/loop.ts'
import { runStatusSchema } from '../../../shared/core/contracts/run.ts'
import { trainingStatusSchema } from '../../../shared/core/contracts/training.ts'
import { makeRun } from '../../builders/runs.ts'

test.each([
  ['succeeded', 'completed'],
  ['failed', 'failed'],
  ['paused', 'paused'],
] as const)('a run that is %s is shown as %s', (status, word) => {
  expect(workWord(status)).toBe(word)
})

test.each([
  ['succeeded', 'play', 'solved'],
  ['failed', 'play', 'not solved'],
  ['succeeded', 'learn', 'completed'],
  ['limited', 'play', 'out of steps or budget'],
  ['errored', 'play', 'ended with an error'],
] as const)('an episode that is %s, to %s, is shown as %s', (status, purpose, word) => {
  expect(episodeStatusWord(status, purpose)).toBe(word)
})

test.each([
  ['steps', 'out of steps'],
  ['turns', 'out of turns'],
  ['tokens', 'out of tokens'],
  ['cost', 'out of money'],
  ['time', 'out of time'],
  ['constructor', 'out of steps or budget'],
])('an episode that its limit of %s ended is %s', (limit, word) => {
  expect(episodeEndWord({ status: 'limited', limit })).toBe(word)
})

const works = [
  runStatusSchema,
  loopStatusSchema,
  trainingStatusSchema,
  loopStageSchema.shape.status,
  datasetSchema.shape.status,
].flatMap((schema): ReturnType<typeof runStatusSchema.parse>[] => schema.options)

test('every status has a word, and no word is an API value that misleads', () => {
  const limit = fc.option(fc.oneof(fc.constantFrom('steps', 'cost'), fc.string()), { nil: null })
  const status = fc.constantFrom(...episodeStatusSchema.options)
  const purpose = fc.constantFrom(...episodePurposeSchema.options)
  fc.assert(
    fc.property(status, limit, purpose, (...[given, met, why]) => {
      const word = episodeEndWord({ status: given, limit: met }, why)
      expect(word).toMatch(/^[a-z ]+$/)
      expect(word).not.toMatch(/succeeded|failed|limited|errored/)
    }),
  )
  for (const work of works) {
    expect(workWord(work)).toMatch(/^[a-z ]+$/)
    expect(workWord(work)).not.toBe('succeeded')
  }
})

test('two statuses never share a word', () => {
  const words = episodeStatusSchema.options.map((status) => episodeStatusWord(status))
  expect(new Set(words).size).toBe(words.length)
  expect(new Set(works.map(workWord)).size).toBe(new Set(works).size)
})

test('a completed run that solved nothing is nowhere called a success', () => {
  const run = makeRun({ status: 'succeeded', episodes: { failed: 3 } })
  const text = [...formatRuns([run], 200), ...formatRun(run, 200)].join('\n')
  expect(text).toContain('completed')
  expect(text).toContain('3 not solved')
  expect(text).not.toContain('succeeded')
})
