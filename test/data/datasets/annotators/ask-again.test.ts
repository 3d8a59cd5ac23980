import { expect, test } from 'vitest'
import type { PromptMessage } from '../../../../shared/core/contracts/message.ts'
import type { JournalRecord } from '../../../../shared/core/engine/journal-record.ts'
import { findPrompt } from '../../../../shared/data/datasets/annotators/ask-again.ts'

const system: PromptMessage = { role: 'system', content: 'You craft.' }
const user: PromptMessage = { role: 'user', content: 'Goal: a stick.' }

const records = (settings: Record<string, string>, messages?: string[]): JournalRecord[] => [
  { message: 'm2', value: user },
  { message: 'm1', value: system },
  { request: 'r1', value: { settings, ...(messages && { messages }) } },
  { effect: 'node/0/sample/0', request: 'r1', result: { choices: [] } },
]

test('the prompt of a call is that of its request, in its order', () => {
  expect(findPrompt(records({ role: 'policy' }, ['m1', 'm2', 'm1']), 'node/0/sample/0')).toEqual([
    system,
    user,
    system,
  ])
})

test.each([
  ['node/1/sample/0', records({ role: 'policy' }, ['m1']), 'not_found'],
  ['node/0/sample/0', records({ role: 'policy', tools: 'digest' }, ['m1']), 'not_supported'],
  ['node/0/sample/0', records({ role: 'policy' }), 'not_supported'],
])('the call %s of %j is refused as %s', (call, journal, code) => {
  expect(() => findPrompt(journal, call)).toThrow(expect.objectContaining({ code, param: 'call' }))
})
