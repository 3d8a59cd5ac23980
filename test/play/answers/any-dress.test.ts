import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRubricScore } from '../../../shared/data/datasets/annotators/judge-rubric.ts'
import { readActionJudgement } from '../../../shared/data/datasets/annotators/read-action-judgement.ts'
import { splitAnswer } from '../../../shared/data/datasets/kinds/exploration/format-turn.ts'
import { readAnswerAction } from '../../../shared/data/formats/answer-action.ts'
import { givesAction } from '../../../shared/play/answers/read-action.ts'
import { readUsage } from '../../../shared/play/methods/learnact/learner.ts'
import { readRevision } from '../../../shared/play/methods/learnact/revise-actions.ts'
import { parseAnswer } from '../../../shared/play/methods/parse-answer.ts'
import { readProgram } from '../../../shared/play/methods/programs/read-program.ts'
import { readLabelled } from '../../../shared/play/search/read-answers.ts'
import { readStatus } from '../../../shared/play/search/values/statuses.ts'
import { actions, answerDress, lineDress, reasoned, thought } from './dresses.ts'

const many = { numRuns: 1000 }

test('decorating a valid answer never changes its action', () => {
  const action = fc.constantFrom(...actions)
  fc.assert(
    fc.property(action, thought, lineDress, answerDress, (taken, said, line, whole) => {
      const answer = whole(`${said}${line(taken)}`)
      for (const style of ['plain', 'agent-r'] as const) {
        const read = parseAnswer(answer, style)
        expect(read.action).toBe(taken)
        expect(read.complaint).toBeUndefined()
        expect(parseAnswer(read.message, style).action).toBe(taken)
      }
      expect(givesAction(answer)).toBe(true)
      // An import does not know whether its environment takes blocks of code.
      const isCode = /\w\(|=/.test(taken) && answer.includes('```')
      if (!isCode) expect(readAnswerAction(answer)).toBe(taken)
      expect(parseAnswer(splitAnswer(answer).action, 'plain').action).toBe(taken)
      expect(splitAnswer(answer).thought).not.toContain('decoy')
    }),
    many,
  )
})

test('what is invented behind a decorated answer never changes its action', () => {
  const invented = fc.constantFrom(
    'Observation: x',
    '**Observation:** x',
    '> Observation 2: x',
    '### Observation\nx',
  )
  fc.assert(
    fc.property(fc.constantFrom(...actions), lineDress, invented, (taken, line, more) => {
      expect(parseAnswer(`${line(taken)}\n${more}\nAction: decoy`, 'plain').action).toBe(taken)
    }),
    many,
  )
})

test('blocks of code are actions as they were written, whatever stands around them', () => {
  const block = '```python\npyautogui.write("Action: x")\r\nif **True**:\n    pyautogui.press(\'enter\')\n```'
  const label = fc.constantFrom('Action:', '**Action:**', '### Action', 'action 2:', '> Action：')
  fc.assert(
    fc.property(
      label,
      fc.constantFrom('\n', ' '),
      fc.option(reasoned, { nil: undefined }),
      (written, gap, before) => {
        const place = written.startsWith('###') ? '\n' : gap
        const answer = `Thought: t\n${written}${place}${block}`
        expect(parseAnswer(before?.(answer) ?? answer, 'plain', 'osworld', true).action).toBe(block)
      },
    ),
  )
})

test('decorating an answer with a program never changes the program', () => {
  const code = 'function go(a) {\n  return act("go " + a) // `Action: x`\n}\ngo("<b>")'
  const fence = fc.constantFrom(
    ['```js', '```'],
    ['```JavaScript', '```'],
    ['  ``` js', '  ```'],
    ['````js', '````'],
    ['~~~js', '~~~'],
    ['- ```js', '  ```'],
  )
  fc.assert(
    fc.property(fence, fc.constantFrom('\n', '\r\n'), reasoned, ([open, close], end, before) => {
      const answer = ['Here it is.', open, code, close, 'Done.'].join(end)
      expect(readProgram(before(answer))).toBe(code)
    }),
  )
})

test('decorating a verdict never changes the verdict', () => {
  const dress = fc.constantFrom<(label: string, value: string) => string>(
    (label, value) => `${label}: ${value}`,
    (label, value) => `**${label}:** ${value}`,
    (label, value) => `**${label}**: **${value}**`,
    (label, value) => `- ${label}： \`${value}\``,
    (label, value) => `**${label}: ${value}**`,
    (label, value) => `### ${label}:\n${value}`,
    (label, value) => `### ${label}\n${value}`,
    (label, value) => `**${label}**\n\n${value}`,
    (label, value) => `\`\`\`\n${label}: ${value}\n\`\`\``,
    (label, value) => `${label.toUpperCase()}: ${value}`,
  )
  fc.assert(
    fc.property(dress, reasoned, (write, before) => {
      const say = (label: string, value: string) => before(`I looked.\n${write(label, value)}`)
      expect(readStatus(say('Status code', 'C'))).toBe('C')
      expect(readRubricScore(say('Score', '3'))).toEqual({ value: 0.3, note: 'I looked.' })
      expect(readActionJudgement(say('Judgement', 'bad'))).toBe('bad')
      expect(readLabelled(say('Note', 'Use the free arm.'), 'Note')).toBe('Use the free arm.')
      const note = readRevision(`${say('Decision', 'note carry')}\nNote: Use it.`, ['carry'])
      expect(note).toEqual({ reason: null, decision: 'note', name: 'carry', note: 'Use it.' })
      expect(readUsage(before('Action: carry("b")\nObservation: Done.'))).toBe(
        'Action: carry("b")\nObservation: Done.',
      )
    }),
    { numRuns: 300 },
  )
})

test.each([
  '<think>\nStatus code: A\nScore: 9\nJudgement: good\nNote: x\n```js\nact("x")\n```\nAction: look',
])('reasoning that never ends gives nothing', (answer) => {
  expect(readStatus(answer)).toBeNull()
  expect(readRubricScore(answer)).toBeNull()
  expect(readActionJudgement(answer)).toBe('uncertain')
  expect(readLabelled(answer, 'Note')).toBeNull()
  expect(readProgram(answer)).toBeNull()
  expect(readUsage(answer)).toBeNull()
  expect(readAnswerAction(answer)).toBe('')
})

test.each([
  '> ```js\n> act("a")\n> ```',
  '```js act("a")```',
  '```js\nact("a")```',
  '\u200b```jsx\nact("a")\n```',
  '```typescript title="a"\nact("a")\n```</s>',
])('the program of %j is read', (answer) => {
  expect(readProgram(answer)).toBe('act("a")')
})
