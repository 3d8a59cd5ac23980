import { expect, test } from 'vitest'
import { readRevision } from '../../../shared/play/methods/learnact/revise-actions.ts'
import { parseAnswer } from '../../../shared/play/methods/parse-answer.ts'
import { readProgram } from '../../../shared/play/methods/programs/read-program.ts'
import { readCall } from '../../../shared/play/sandbox/read-call.ts'
import { readFunctions } from '../../../shared/play/sandbox/read-functions.ts'
import { startedCall } from '../../../shared/play/sandbox/started-call.ts'
import { actionKey } from '../../../shared/play/search/proposals.ts'
import { readLabelled } from '../../../shared/play/search/read-answers.ts'
import { readStatus } from '../../../shared/play/search/values/statuses.ts'

/** Everything that reads what a model wrote, in the process that plays other episodes as well. */
const readers: [string, (text: string) => unknown][] = [
  ['an action', parseAnswer],
  ['what actions are compared by', actionKey],
  ['a grade', readStatus],
  ['what follows a label', (text) => readLabelled(text, 'Note')],
  ['a program', readProgram],
  ['a call', (text) => readCall(text, ['go'])],
  ['the beginning of a call', (text) => startedCall(text, ['go'])],
  ['functions', readFunctions],
  ['a revision', (text) => readRevision(text, ['go'])],
]

/** As long as answers can get, made of what patterns start with. */
const pieces = [
  '\n',
  ' ',
  '*',
  '-',
  '`',
  '.',
  '. ',
  '/*a*/',
  '\n*',
  '\n```js',
  'Action:',
  'Note ',
  'Status code',
  'Decision ',
  'go(',
]
const texts = [9_900, 99_900].flatMap((length) => [
  '`'.repeat(length / 2) + '. '.repeat(length / 4),
  ...pieces.flatMap((piece) => {
    const many = piece.repeat(Math.floor(length / piece.length))
    return [many, `${many}x`, `\`\`\`${many}`, `go(${many}`, `/*a*/${many}function f() {}`]
  }),
])

// A reader that goes back over what it has read takes minutes for these: the time limit of tests is what it meets.
test.each(readers)('%s is read from long answers of any make', (_what, read) => {
  for (const text of texts) read(text)
})

test('marks of any length around a call do it no harm, and a comment far from its function leads it', () => {
  const blanks = ' '.repeat(90_000)
  expect(readCall(`${'`'.repeat(4_000)}go(1)${'`'.repeat(4_000)}${'. '.repeat(500)}`, ['go'])).toMatchObject({
    arguments: [1],
  })
  expect(readFunctions(`/*a*/${blanks}\nfunction f() {}`)).toMatchObject({ functions: [{ comment: 'a' }] })
  expect(readFunctions(`/*a*/${blanks}\n\nfunction f() {}`)).toMatchObject({ functions: [{ comment: null }] })
})
