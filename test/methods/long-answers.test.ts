import { describe, expect, test } from 'vitest'
import { readRevision } from '../../shared/methods/learnact/read-revision.ts'
import { parseAnswer } from '../../shared/methods/parse-answer.ts'
import { readProgram } from '../../shared/methods/programs/read-program.ts'
import { readCall } from '../../shared/sandbox/read-call.ts'
import { actionKey } from '../../shared/search/action-key.ts'
import { readLabelled } from '../../shared/search/values/read-labelled.ts'
import { readStatus } from '../../shared/search/values/read-status.ts'

/** Everything that reads what a model wrote, in the process that plays other episodes as well. */
const readers: [string, (text: string) => unknown][] = [
  ['an action', parseAnswer],
  ['what actions are compared by', actionKey],
  ['a grade', readStatus],
  ['what follows a label', (text) => readLabelled(text, 'Note')],
  ['a program', readProgram],
  ['a call', (text) => readCall(text, ['go'])],
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
  '\n*',
  '\n```js',
  'Action:',
  'Note ',
  'Status code',
  'Decision ',
  'go(',
]
const texts = pieces.flatMap((piece) => {
  const many = piece.repeat(Math.floor(99_990 / piece.length))
  return [many, `${many}x`, `\`\`\`${many}`, `go(${many}`]
})
texts.push(`\`\`\`${'a'.repeat(99_990)}`)

describe('a long answer is read in no time', () => {
  test.each(readers)('%s', (_what, read) => {
    for (const text of texts) {
      const begun = performance.now()
      read(text)
      expect(performance.now() - begun).toBeLessThan(500)
    }
  })
})
