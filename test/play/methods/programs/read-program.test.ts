import { expect, test } from 'vitest'
import { readProgram } from '../../../../shared/play/methods/programs/read-program.ts'

test.each([
  ['one block', 'Here.\n```js\nact("a")\n```\nDone.', 'act("a")'],
  ['several, joined', '```javascript\nfunction f() {}\n```\nand\n```JS\nf()\n```', 'function f() {}\n\nf()'],
  ['one without a language', '```\nact("a")\n```', 'act("a")'],
  ['one that is never closed', 'Sure:\n```js\nact("a")\nact("b")', 'act("a")\nact("b")'],
  ['indented marks', '  ```js\n  act("a")\n  ```', 'act("a")'],
  [
    'back-ticks inside',
    '```js\nconst name = `ball`\nact(name + `!`)\n```',
    'const name = `ball`\nact(name + `!`)',
  ],
  ['other languages passed over', '```text\nno code\n```\n```js\nact("a")\n```', 'act("a")'],
])('reads %s', (_, answer, code) => {
  expect(readProgram(answer)).toBe(code)
})

test.each([
  '',
  'I will not write code.',
  'act("a")',
  '```js\n```',
  '```python\nact("a")\n```',
  'Use ```js act("a")``` inline.',
])('finds no program in %j', (answer) => {
  expect(readProgram(answer)).toBeNull()
})
