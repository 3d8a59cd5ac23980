import { expect, test } from 'vitest'
import { committedEffects, journalRecords } from '../../../support/play-once.ts'
import { act, scriptedModel, withScores } from '../../../support/scripted-episode.ts'
import { ended, valueOnce } from './value-once.ts'

const policy = scriptedModel(({ way }) => act(way === '' ? 'a' : 'b'))
const never = () => {
  throw new Error('Only the trained model is asked.')
}

test.each([
  [0.25, 0.25],
  [-0.5, -0.5],
  // ExACT, its code for OSWorld: `vf_clip`.
  [-7, -1],
])('a trained model’s %d is worth %d', async (score, worth) => {
  const { lines, outcome } = await valueOnce({ value: 'endpoint' }, never, {
    models: withScores(policy, () => score),
  })
  expect(outcome).toEqual(ended)
  expect(lines).toContain(`a is worth ${worth}`)
})

test('what is above 1 is worth 1, and ends the search', async () => {
  const { lines } = await valueOnce({ value: 'endpoint', max_steps: 9 }, never, {
    models: withScores(policy, (way) => (way === 'a' ? 2.5 : 0)),
  })
  expect(lines).toEqual(['took a', 'a is worth 1', 'goes a'])
})

test('a trained model is shown the rules and the way there, and its answer is in the journal', async () => {
  const ways: string[] = []
  const models = withScores(policy, (way) => {
    ways.push(way)
    return 3
  })
  const { options } = await valueOnce({ value: 'endpoint' }, never, { models })
  expect(ways).toEqual(['a'])
  expect(await committedEffects(options)).toContain('node/1/value/score')
  const records = await journalRecords(options)
  // As the model gave it: what the search makes of it is not the journal's business.
  expect(
    records.find((record) => 'effect' in record && record.effect === 'node/1/value/score'),
  ).toMatchObject({
    result: 3,
  })
})
