import { expect, test } from 'vitest'
import type { Turn } from '../../../shared/data/formats/read-trajectory.ts'
import { splitTurns } from '../../../shared/data/trajectories/split-turns.ts'

/** `u` and `a` turns with their texts; `a+` and `a-` say whether they are trained on. */
function turns(...given: [string, string][]): Turn[] {
  return given.map(([sign, content], index) => ({
    at: `turns[${index}]`,
    role: sign.startsWith('a') ? 'assistant' : sign === 's' ? 'system' : 'user',
    content,
    learned: sign.length === 1 ? null : sign === 'a+',
  }))
}

test.each<[string, Turn[], number | null, number]>([
  [
    'the number of messages that is given',
    turns(['u', 'x'], ['a', 'Action: 1'], ['u', 'y'], ['a', 'Action: 2']),
    3,
    3,
  ],
  [
    'what is not trained on',
    turns(['u', 'x'], ['a-', 'Action: 1'], ['u', 'y'], ['a+', 'Action: 2']),
    null,
    3,
  ],
  [
    'what names no action',
    turns(['u', 'x'], ['a', 'A long agreement'], ['u', 'y'], ['a', 'Action: 2']),
    null,
    3,
  ],
  [
    'an agreement, where no answer names an action',
    turns(['u', 'x'], ['a', 'OK.'], ['u', 'y'], ['a', 'look']),
    null,
    3,
  ],
  ['nothing but the prompt', turns(['s', 'x'], ['u', 'y'], ['a', 'look'], ['u', 'z'], ['a', 'OK']), null, 2],
  [
    'nothing more where all is trained on',
    turns(['u', 'x'], ['a+', 'Action: 1'], ['u', 'y'], ['a+', 'Action: 2']),
    null,
    1,
  ],
])('the head ends with %s', (_, given, headLength, length) => {
  expect(splitTurns(given, headLength).head).toHaveLength(length)
})

test('a head may have several messages in a row, the steps may not', () => {
  const split = splitTurns(turns(['u', 'rules'], ['u', 'task'], ['a', 'Action: 1'], ['u', 'end']), null)
  expect(split).toEqual({
    head: [
      { role: 'user', content: 'rules' },
      { role: 'user', content: 'task' },
    ],
    steps: [{ message: 'Action: 1', observation: 'end' }],
  })
})

test.each<[string, Turn[], number | null, string]>([
  [
    'a head that ends elsewhere',
    turns(['u', 'x'], ['a', 'Action: 1'], ['u', 'y']),
    2,
    'the model must answer',
  ],
  ['a head longer than the row', turns(['u', 'x'], ['a', 'Action: 1']), 9, 'no turn of the model'],
  ['a system turn among the steps', turns(['u', 'x'], ['a', 'Action: 1'], ['s', 'y']), null, 'system turn'],
  [
    'two answers before the first action',
    turns(['u', 'x'], ['a', 'OK'], ['a', 'Action: 1']),
    null,
    'in a row',
  ],
  ['an answer before all', turns(['a', 'OK'], ['u', 'x'], ['a', 'Action: 1']), null, 'prompt is missing'],
  ['nothing', [], null, 'no turns'],
])('%s is refused', (_, given, headLength, reason) => {
  expect(() => splitTurns(given, headLength)).toThrow(reason)
})
