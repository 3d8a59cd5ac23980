import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { openModelTokenizer } from '../../../shared/learn/tokenizers/model-tokenizer.ts'
import { bytePairTokenizer, chatTemplate } from './tiny-tokenizers.ts'

const merges: [string, string][] = [
  ['a', 'b'],
  ['ab', 'a'],
  ['b', 'a'],
]
const endId = 3

const open = (template = chatTemplate) =>
  openModelTokenizer({
    model: 'model-1',
    tokenizer: bytePairTokenizer(merges),
    chatTemplate: template,
    configuration: null,
  })

const say = (role: Message['role'], content: string): Message => ({ role, content })
const words = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', 'é') })

describe('the ids behind an answer', () => {
  test('with those before it they are the ids of the whole conversation, wherever an answer’s own are canonical', () => {
    const tokenizer = open()
    fc.assert(
      fc.property(words, words, words, (task, answer, next) => {
        const before = [say('user', task)]
        const whole = [...before, say('assistant', answer), say('user', next)]
        const prompt = tokenizer.encode(before, undefined) as number[]
        const all = tokenizer.encode(whole, undefined) as number[]
        const last = tokenizer.encode([say('user', answer)], undefined)?.slice(1, -2) ?? []
        const ended = tokenizer.encode(whole, { at: 1, last: endId }) as number[]
        expect([...prompt, ...last, endId, ...ended]).toEqual(all)
        const cut = tokenizer.encode(whole, { at: 1, last: last.at(-1) }) as number[]
        expect([...prompt, ...last, ...cut]).toEqual(all)
      }),
    )
  })

  test('an end mark behind a space is left out, one of the next turn is not', () => {
    const spaced = open(
      "{% for m in messages %}{{ '<|' + m['role'] + '|>' + m['content'] }}{% if m['role'] == 'assistant' %}{{ ' <|end|>' }}{% endif %}{% endfor %}",
    )
    const turns = [say('user', 'a'), say('assistant', 'b'), say('user', 'c')]
    const rest = spaced.encode(turns, { at: 1, last: endId })
    expect(rest).not.toContain(endId)
    const bare = open("{% for m in messages %}{{ m['content'] + '<|user|>' }}{% endfor %}<|end|>")
    expect(bare.encode(turns, { at: 1, last: endId })).toContain(endId)
  })

  test('a template that leaves an answer out, or shows it twice, has none', () => {
    const turns = [say('user', 'a'), say('assistant', 'b'), say('user', 'c')]
    const without =
      "{% for m in messages %}{% if m['role'] == 'user' %}{{ m['content'] }}{% endif %}{% endfor %}"
    expect(open(without).encode(turns, { at: 1, last: 5 })).toBeNull()
    const twice = "{% for m in messages %}{{ m['content'] + m['content'] }}{% endfor %}"
    expect(open(twice).encode(turns, { at: 1, last: 5 })).toBeNull()
  })
})

test('a template that refuses a conversation makes no ids: nothing is estimated', () => {
  const refusing = open(
    "{% for m in messages %}{% if m['role'] == 'system' %}{{ raise_exception('No rules, please.') }}{% endif %}{{ m['content'] }}{% endfor %}",
  )
  expect(() => refusing.encode([say('system', 'a')], undefined)).toThrow('No rules, please.')
})

test('the vocabulary has every id and no more', () => {
  const tokenizer = open()
  expect(tokenizer.vocabulary()).toBe(5 + 256 + merges.length)
})
