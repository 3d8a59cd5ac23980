import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Run, RunRequestInput } from '../../../shared/core/contracts/run.ts'
import { differingTerms, digestTasks, passportOf } from '../../../shared/core/engine/runs/passport-of.ts'
import { makeRun } from '../../builders/runs.ts'

const model = { endpoint: 'simulated', id: 'simulated' }
const horizon = { parameter: 'max_steps', least: 10, most: 10, from: 'request' } as const
const resolved = { horizon, parameters: {}, tasks: digestTasks(['a', 'b']), scorer: '1' }

const played = (request: Partial<RunRequestInput> = {}, settled: Partial<Run['resolved'] & object> = {}) =>
  passportOf(makeRun({ request: { model, ...request }, resolved: { ...resolved, ...settled } }))

test.each<[string, ReturnType<typeof played>]>([
  ['model.max_prompt_tokens', played({ model: { ...model, max_prompt_tokens: 4000 } })],
  ['model.reasoning', played({ model: { ...model, reasoning: 'keep' } })],
  ['method.layout', played({ method: { id: 'mcts', layout: 'eto' } })],
  ['method.actions', played({ method: { id: 'mcts', actions: 'tools' } })],
  ['method.test_on_trained', played({ method: { id: 'mcts', test_on_trained: true } })],
  ['prompts.mcts', played({ prompts: { mcts: 'Act.'.repeat(40) } })],
  ['environment_options.language', played({ environment_options: { language: 'eto' } })],
  ['episode_limits.steps', played({ episode_limits: { steps: 3 } })],
  ['data', played({ data: 'pack' })],
  ['resolved.horizon', played({}, { horizon: { ...horizon, most: 20 } })],
  ['tasks', played({}, { tasks: digestTasks(['a', 'c']) })],
  ['scorer', played({}, { scorer: '2' })],
])('a run that differs in %s alone has another passport, which names it alone', (field, passport) => {
  const usual = played()
  expect(passport.digest).not.toBe(usual.digest)
  expect(differingTerms([usual, passport]).map((each) => each.field)).toEqual([field])
})

test('settings that are no terms leave the passport as it is', () => {
  const other = played({ seed: 3, name: 'again', model: { ...model, id: 'other' }, method: { id: 'react' } })
  expect(other).toEqual(played())
})

test('the digest of tasks depends on their set alone', () => {
  const sets = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(sets, sets, (one, other) => {
      const isSame = JSON.stringify(one.toSorted()) === JSON.stringify(other.toSorted())
      expect(digestTasks(one) === digestTasks(other)).toBe(isSame)
      expect(digestTasks([...one.toReversed(), ...one])).toBe(digestTasks(one))
    }),
  )
})
