import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PromptMessage } from '../../../shared/core/contracts/message.ts'
import { answerBefore, TokenPrompts } from '../../../shared/play/methods/token-prompts.ts'
import { readCallAnswer } from '../../../shared/play/methods/tool-dialect.ts'
import type { AnswerPlace, TokenCounter } from '../../../shared/play/models/token-counter.ts'

const native = { id: 'x', type: 'function' as const, function: { name: 'get', arguments: '{}' } }
const dialect = { tools: [], branches: false }

test('every call of tools in an answer names the model call and the answer that it came from', () =>
  fc.assert(
    fc.property(
      fc.nat(99),
      fc.constantFrom('proposal', 'sample/0', 'plan/3/proposals'),
      fc.option(fc.nat(12), { nil: undefined }),
      fc.integer({ min: 1, max: 12 }),
      (node, key, choice, calls) => {
        const call = `node/${node}/${key}`
        const effect = choice === undefined ? call : `${call}/choice/${choice}`
        const answer = { content: '', tool_calls: Array.from({ length: calls }, () => native) }
        const { more = [], ...first } = readCallAnswer(answer, dialect, effect)
        const all = [first, ...more]
        expect(all).toHaveLength(calls)
        for (const each of all) expect(answerBefore(each)).toEqual({ call, answer: choice ?? 0 })
      },
    ),
  ))

const say = (role: PromptMessage['role'], content: string): PromptMessage => ({ role, content })

test('a prompt behind one call goes on from the ids of the answer, one behind several is tokenized whole', async () => {
  const places: (AnswerPlace | undefined)[] = []
  const counter = {
    model: 'mine',
    encode: async (_: readonly PromptMessage[], place?: AnswerPlace) => {
      places.push(place)
      return [9]
    },
  } as unknown as TokenCounter
  const prompts = new TokenPrompts({ tokensOf: async () => [1, 2] })
  const task = [say('user', 'task')]
  await prompts.next('node/0/proposal', task, undefined)(counter)
  const turn = [say('assistant', 'call'), say('user', 'seen')]
  const next = (effect: string, messages: PromptMessage[]) =>
    prompts.next('node/2/proposal', messages, { effect })(counter)
  expect(await next('node/0/proposal', [...task, ...turn])).toEqual([1, 2, 9])
  expect(await next('node/0/proposal/call/1', [...task, ...turn, ...turn])).toEqual([9])
  expect(places).toEqual([undefined, { at: 1, last: 2 }, undefined])
})
