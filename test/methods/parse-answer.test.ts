import { expect, test } from 'vitest'
import { parseAnswer } from '../../shared/methods/parse-answer.ts'

test.each([
  ['Thought: wood first\nAction: get 1 oak log', 'get 1 oak log'],
  ['Action: get 1 a\nObservation: Got 1 a\nAction: get 2 b\nand more', 'get 2 b'],
  ['Thought 1: t\nAction 1: get 1 a', 'get 1 a'],
  ['Action: 2. inventory', 'inventory'],
  ['Action:\n  inventory  ', 'inventory'],
  ['I would look around.\ninventory', 'inventory'],
  ['', ''],
  ['Action:', ''],
])('of %j the action is %j', (answer, action) => {
  expect(parseAnswer(answer).action).toBe(action)
})

test('answers that differ only in their numbering are the same message', () => {
  expect(parseAnswer(' Thought 1: t\nAction 1: a ').message).toBe(
    parseAnswer('Thought: t\nAction: a').message,
  )
})
