import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Message } from '../../../shared/core/contracts/message.ts'
import { openModelTokenizer } from '../../../shared/learn/tokenizers/model-tokenizer.ts'
import { fitPrompt } from '../../../shared/play/methods/prompts/fit-prompt.ts'
import { estimatePromptTokens } from '../../../shared/play/models/estimate-tokens.ts'
import type { DirectCounter } from '../../../shared/play/models/token-counter.ts'
import { bytePairTokenizer, chatTemplate, wordLevelTokenizer } from './tiny-tokenizers.ts'

const open = (
  tokenizer: string,
  template = chatTemplate,
  configuration: object | null = null,
): DirectCounter =>
  openModelTokenizer({
    model: 'model-1',
    tokenizer,
    chatTemplate: template,
    configuration: configuration === null ? null : JSON.stringify(configuration),
  })
const user = (content: string): Message => ({ role: 'user', content })

describe('exact counts', () => {
  test('words of a word-level tokenizer are a token each, and so are the marks of the template', () => {
    const counter = open(wordLevelTokenizer())
    const long = user('incomprehensibilities counterrevolutionaries')
    expect(counter.ofPrompt([long])).toBe(1 + 2 + 1 + 1)
    expect(estimatePromptTokens([long])).toBeGreaterThan(4 * counter.ofPrompt([long]))
  })

  test('a byte-level tokenizer that joins nothing takes three times the estimate', () => {
    const counter = open(bytePairTokenizer())
    const text = 'a b c d e f g h '.repeat(100)
    expect(counter.ofText(text)).toBe(text.length)
    expect(counter.ofPrompt([user(text)])).toBeGreaterThan(2.5 * estimatePromptTokens([user(text)]))
  })

  test('merges are applied', () => {
    const counter = open(
      bytePairTokenizer([
        ['a', 'p'],
        ['ap', 'p'],
        ['l', 'e'],
        ['app', 'le'],
      ]),
    )
    expect([counter.ofText('apple'), counter.ofText('applet'), counter.ofText('pear')]).toEqual([1, 2, 4])
  })

  test('words of every script are divided at spaces and signs', () => {
    const counter = open(wordLevelTokenizer())
    expect(counter.ofText('über Straße, naïve — 漢字!')).toBe(7)
  })

  test('special tokens of the configuration are known to the template, also where they are objects', () => {
    const template = `{{ bos_token }}${chatTemplate}{{ eos_token }}{{ nothing_of_the_kind }}`
    const configuration = { bos_token: '<|end|>', eos_token: { content: '<|unknown|>', special: true } }
    const plain = open(wordLevelTokenizer()).ofPrompt([user('hello')])
    expect(open(wordLevelTokenizer(), template, configuration).ofPrompt([user('hello')])).toBe(plain + 2)
  })

  test('a date in a template is the same on every day', () => {
    const counter = open(wordLevelTokenizer(), `{{ strftime_now('%d %b %Y, %B %A %H:%M') }}${chatTemplate}`)
    expect(counter.ofPrompt([user('hello')])).toBe(counter.ofPrompt([user('there')]))
    expect(counter.ofPrompt([user('hello')])).toBe(4 + 9)
  })

  test('pictures come on top, as they are estimated', () => {
    const counter = open(wordLevelTokenizer())
    const picture = { type: 'blob', sha256: '0', media_type: 'image/png', width: 64, height: 64 } as const
    const shown = { ...user('look'), pictures: [picture] }
    const own = estimatePromptTokens([shown], 'gpt-4o') - estimatePromptTokens([user('look')])
    expect(counter.ofPrompt([shown], 'gpt-4o')).toBe(counter.ofPrompt([user('look')]) + own)
  })
})

describe('what cannot be counted', () => {
  test('a conversation that the template refuses is estimated', () => {
    const refusing = `{% if messages[0]['role'] == 'system' %}{{ raise_exception('no system') }}{% endif %}${chatTemplate}`
    const counter = open(wordLevelTokenizer(), refusing)
    const refused: Message[] = [{ role: 'system', content: 'rules' }, user('hello')]
    expect(counter.ofPrompt(refused)).toBe(estimatePromptTokens(refused))
    expect(counter.ofPrompt([user('hello')])).toBe(4)
  })

  test.each([
    ['a tokenizer that is not JSON', '{', chatTemplate],
    [
      'a tokenizer of an unknown type',
      '{"model":{"type":"Telepathy","vocab":{}},"added_tokens":[]}',
      chatTemplate,
    ],
    ['an unknown way to divide', wordLevelTokenizer().replace('"Whitespace"', '"Runes"'), chatTemplate],
    ['a template that is none', wordLevelTokenizer(), '{% for %}'],
    ['a template that ends too early', wordLevelTokenizer(), '{% for message in messages %}'],
    ['a template that refuses a greeting', wordLevelTokenizer(), "{{ raise_exception('never') }}"],
    ['a template that makes nothing', wordLevelTokenizer(), ''],
    ['a template that never ends', wordLevelTokenizer(), '{% for i in range(10000000000) %}x{% endfor %}'],
  ])('%s is refused when it is opened', (_, tokenizer, template) => {
    expect(() => open(tokenizer, template)).toThrow()
  })
})

const wordsOf = fc.array(
  fc.constantFrom('go', 'to', 'counterrevolutionary', 'küche', '漢字漢字', 'x', '<|end|>'),
  {
    maxLength: 30,
  },
)

test.each([
  ['word-level', wordLevelTokenizer()],
  [
    'byte-level',
    bytePairTokenizer([
      ['t', 'o'],
      ['g', 'o'],
    ]),
  ],
])(
  'a history that is cut to a number of tokens has at most as many by the tokenizer (%s)',
  (_, tokenizer) => {
    const counter = open(tokenizer)
    const head: Message[] = [{ role: 'system', content: 'rules' }, user('start')]
    fc.assert(
      fc.property(fc.array(wordsOf, { maxLength: 12 }), fc.integer({ min: 1, max: 800 }), (texts, limit) => {
        const turns = texts.flatMap((words): Message[] => [
          { role: 'assistant', content: `Action: ${words.join(' ')}` },
          user(words.toReversed().join(' ')),
        ])
        const { messages, cutPairs } = fitPrompt(head, turns, { id: 'm', max_prompt_tokens: limit }, counter)
        expect(messages).toEqual([...head, ...turns.slice(cutPairs * 2)])
        const isLeast = cutPairs >= texts.length - 1
        if (!isLeast) expect(counter.ofPrompt(messages)).toBeLessThanOrEqual(limit)
        if (cutPairs > 0) {
          expect(counter.ofPrompt([...head, ...turns.slice((cutPairs - 1) * 2)])).toBeGreaterThan(limit)
        }
      }),
    )
  },
)
