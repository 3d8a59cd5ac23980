import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type AnswerStyle, answerStyles, parseAnswer } from '../../../shared/play/methods/parse-answer.ts'

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

describe('where actions are blocks', () => {
  const block = '```python\npyautogui.click(1, 2)\nif True:\n    pyautogui.write("Action: x")\n```'
  const read = (answer: string, style: AnswerStyle = 'plain') => parseAnswer(answer, style, 'osworld', true)

  test.each([
    ['on lines of its own', `Thought: t\nAction:\n${block}`, block],
    ['on the line of the mark', `Thought: t\nAction: ${block}\nand more`, block],
    ['beside a second block', `Action:\n${block}\n\n${block}\nObservation: done`, `${block}\n\n${block}`],
    ['after a thought with a block', `Thought: not ${block}\nAction: DONE`, 'DONE'],
    ['in an answer without the mark', `I click there.\n${block}`, block],
    [
      'cut by the end of the answer',
      'Thought: t\nAction: ```python\npyautogui.cl',
      '```python\npyautogui.cl',
    ],
    ['that is a word', 'Thought: t\nAction: ```DONE```', '```DONE```'],
    ['of a turn that was invented', `Action: WAIT\nObservation: x\nAction: ${block}`, 'WAIT'],
  ])('of a block %s the action is read whole', (_where, answer, action) => {
    expect(read(answer).action).toBe(action)
  })

  test.each(answerStyles)('a block is whole in the style %s', (style) => {
    expect(read(`Thought: t\nAction: ${block}`, style).action).toBe(block)
  })

  test('the message ends with the action', () => {
    const message = `Thought: t\nAction:\n${block}`
    expect(read(`${message}\nThen I wait.`).message).toBe(message)
  })

  test('what stands in a block is no invented observation', () => {
    const own = '```python\npyautogui.write("""\nObservation: rain\n""")\n```'
    expect(read(`Thought: t\nAction: ${own}`).action).toBe(own)
  })
})

test('where actions are lines, a fence is around the line', () => {
  const fenced = '```\nThought: t\nAction:\n```\nlook\n```\nmore'
  expect(parseAnswer('Action:\n```\nlook\n```', 'plain').action).toBe('look')
  expect(parseAnswer(fenced, 'plain')).toEqual({ action: 'look', message: fenced.slice(0, -'\nmore'.length) })
})

describe('where actions are blocks, a fence around the whole answer is none', () => {
  const block = '```python\npyautogui.click(1, 2)\n```'
  test.each([
    ['```\nThought: t\nAction: WAIT\n```', 'WAIT'],
    [`\`\`\`text\nThought: t\nAction:\n${block}\n\`\`\``, block],
    [`\`\`\`\nThought: t\n**Action:** ${block}`, block],
    [`**Action:**\n${block}`, block],
    [`Action 2:\r\n${block}\r\n`, block],
    [`<think>Action: WAIT\n${block.replace('1', '3')}</think>\nAction:\n${block}`, block],
  ])('%j', (answer, action) => {
    expect(parseAnswer(answer, 'plain', 'osworld', true).action).toBe(action)
  })
})

test('an answer of nothing but reasoning takes no step, and stays in the conversation', () => {
  const message = '<think>\nAction: get 1 log'
  expect(parseAnswer(message, 'plain')).toEqual({
    action: '',
    message,
    complaint: 'No action could be read from this answer.',
  })
})

const line = fc.string({ unit: fc.constantFrom(...'ab ()"\'=.;:') }).map((text) => text.trim())

test('an answer without back-ticks is read alike, whether actions may be blocks or not', () => {
  const lines = fc.array(fc.oneof(line, fc.constantFrom('Action: look', 'Observation: x', 'Thought: y')))
  fc.assert(
    fc.property(lines, fc.constantFrom(...answerStyles), (parts, style) => {
      const answer = parts.join('\n')
      expect(parseAnswer(answer, style, '', true)).toEqual(parseAnswer(answer, style, ''))
    }),
  )
})

test('any code in a block comes back as it was written', () => {
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (parts) => {
      const code = `\`\`\`python\n${parts.join('\n')}\n\`\`\``
      expect(parseAnswer(`Thought: t\nAction:\n${code}`, 'plain', '', true).action).toBe(code)
    }),
  )
})
