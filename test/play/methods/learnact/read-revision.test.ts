import { expect, test } from 'vitest'
import { readRevision } from '../../../../shared/play/methods/learnact/revise-actions.ts'

const names = ['carry', 'fetch']

test('a function that is to be updated comes with its code', () => {
  const answer = 'Reason: It never\nput it down.\nDecision: update carry\n```js\nfunction carry() {}\n```'
  expect(readRevision(answer, names)).toEqual({
    reason: 'It never put it down.',
    decision: 'update',
    answer,
  })
})

test.each([
  'Reason: The arm was full.\nDecision: note carry\nNote: Use the\nfree arm.',
  '**Reason:** The arm was full.\n**Decision:** Note `carry`\n**Note:** Use the free arm.',
  'Decision: update carry\nOn second thoughts:\nReason: The arm was full.\nDecision: note carry\nNote: Use the free arm.',
])('a note says how to call a function that there is', (answer) => {
  expect(readRevision(answer, names)).toEqual({
    reason: 'The arm was full.',
    decision: 'note',
    name: 'carry',
    note: 'Use the free arm.',
  })
})

test.each([
  '',
  'Improve: update carry',
  'Decision: update carry\nIt should be mended.',
  'Decision: note carry',
  'Decision: note carry\nNote:',
  'Decision: note juggle\nNote: Use both arms.',
  'Decision: delete carry\n```js\nfunction carry() {}\n```',
])('%j is no revision', (answer) => {
  expect(readRevision(answer, names)).toBeNull()
})
