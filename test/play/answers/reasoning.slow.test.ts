import { describe, expect, test } from 'vitest'
import { coverReasoning, withoutReasoning } from '../../../shared/play/answers/reasoning.ts'

const decoy = '\nAction: get 1 log\nObservation: Got it\n'

describe('reasoning is left out', () => {
  test.each([
    `<think>${decoy}</think>`,
    `<THINK>${decoy}</THINK>`,
    `< think >${decoy}</ think >`,
    `<think reason="long" >${decoy}</think>`,
    `<thinking>${decoy}</thinking>`,
    `<thinking>${decoy}</think>`,
    `<thought>${decoy}</thought>`,
    `<reasoning>${decoy}</reasoning>`,
    `<seed:think>${decoy}</seed:think>`,
    `${decoy}</think>`,
    `<think>a<think>${decoy}</think>${decoy}</think>`,
    `<think>not <think> yet${decoy}</think>`,
    `<think>I must not write "</think>" yet${decoy}</think>`,
    `<think>${decoy}</think><think>${decoy}</think>`,
    `[THINK]${decoy}[/THINK]`,
    `◁think▷${decoy}◁/think▷`,
    `<|START_THINKING|>${decoy}<|END_THINKING|><|START_RESPONSE|>`,
    `<|begin_of_thought|>${decoy}<|end_of_thought|>`,
    `<|channel|>analysis<|message|>${decoy}<|end|><|start|>assistant<|channel|>final<|message|>`,
    `analysis${decoy}assistantfinal`,
    `<think>${decoy}</think><answer>`,
  ])('%j', (reasoning) => {
    const answer = `${reasoning}Thought: a\nAction: inventory`
    expect(withoutReasoning(answer).trim()).toBe('Thought: a\nAction: inventory')
    expect(coverReasoning(answer)).toHaveLength(answer.length)
  })

  test.each(['<|return|>', '<|im_end|>', '</s>', '<|eot_id|>\n', '<think>and</think>'])(
    'behind it: %j',
    (end) => {
      expect(withoutReasoning(`Action: inventory${end}`).trim()).toBe('Action: inventory')
    },
  )

  test('between two parts of an answer', () => {
    expect(withoutReasoning('<think>a</think>b<think>c</think>d')).toBe('bd')
  })
})

test.each([
  `<think>${decoy}`,
  `\n <think>${decoy}`,
  `<think>a</think>\n<think>${decoy}`,
  `<|channel|>analysis<|message|>${decoy}`,
  `[THINK]${decoy}`,
])('of reasoning that never ends nothing is left: %j', (answer) => {
  expect(withoutReasoning(answer).trim()).toBe('')
})

test.each([
  'Action: type [5] [<think>] [1]',
  'Thought: I think <b>so</b>.\nAction: look',
  'Thought: no "</think>" here\nAction: look',
  'Action: click[think]',
  'Action: look <thinking/>',
  'analysis of it: assistant final\nAction: look',
])('an answer without reasoning stays: %j', (answer) => {
  expect(withoutReasoning(answer)).toBe(answer)
})

test.each([
  ['openings', '<think>'.repeat(20_000)],
  ['closings', '</think>'.repeat(20_000)],
  ['pairs', '<think></think>'.repeat(10_000)],
  ['angles', '<'.repeat(100_000)],
  ['blanks', `<${' '.repeat(100_000)}`],
  ['channels', '<|channel|>final<|message|>'.repeat(5000)],
  ['tokens', '<|end|>'.repeat(5000)],
])('a long answer of nothing but %s is read in little time', (_what, answer) => {
  const begun = process.threadCpuUsage()
  withoutReasoning(answer)
  const { user, system } = process.threadCpuUsage(begun)
  expect((user + system) / 1000).toBeLessThan(500)
})

test.each(['<|channel|>', 'x<think>', ' <think>', '<think>', '</think> ', '<|channel|>a', 'Action:', '** '])(
  'a megabyte of %j is read in one pass, long before the time limit of a test',
  (fragment) => {
    const repeated = fragment.repeat(1_000_000 / fragment.length)
    const long = `${fragment}${'a'.repeat(1_000_000)}`
    for (const answer of [repeated, long]) expect(coverReasoning(answer)).toHaveLength(answer.length)
  },
)
