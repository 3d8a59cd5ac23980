import { expect, test } from 'vitest'
import { openaiRules } from './openai-rules.ts'
import { says, sees, talk, weighs, write } from './sample-rows.ts'

test.each(['sft', 'revision', 'exploration'] as const)(
  '%s rows pass OpenAI’s rules of supervised files',
  (kind) => {
    openaiRules.supervised.parse(write('openai', kind))
  },
)

test('pairs and prompts pass those of preference and reinforcement', () => {
  openaiRules.preference.parse(write('openai', 'step-preference'))
  openaiRules.reinforcement.parse(write('openai', 'prompts'))
})

test('the rules find what OpenAI refuses', () => {
  const refuses = (row: object) => expect(openaiRules.supervised.safeParse(row).success).toBe(false)
  refuses({ messages: [sees('Go.')] })
  refuses({ messages: [sees('Go.'), { ...says('a'), loss: true }] })
  refuses({ messages: [{ ...sees('Go.'), weight: 1 }, says('a')] })
  refuses(write('openai', 'sft', talk(sees('Go.'), weighs('a', 0))))
})
