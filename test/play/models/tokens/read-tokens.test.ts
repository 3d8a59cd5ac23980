import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alignLogprobs, readChoiceTokens } from '../../../../shared/play/models/tokens/read-tokens.ts'
import { recordTokens } from '../../../../shared/play/models/tokens/record-tokens.ts'

const content = [
  { token: 'Hi', logprob: -0.25 },
  { token: '!', logprob: -1.5 },
]

describe('the fields of each server', () => {
  test.each([
    [
      'vLLM',
      {
        model: 'm',
        prompt_token_ids: [1, 2],
        choices: [{ token_ids: [7, 8], logprobs: { content } }],
      },
      { ids: [7, 8], logprobs: [-0.25, -1.5], prompt_ids: [1, 2], version: 'm' },
    ],
    [
      'vLLM before 0.10.2',
      {
        choices: [
          {
            logprobs: {
              content: content.map((each, place) => ({ ...each, token: `token_id:${7 + place}` })),
            },
          },
        ],
      },
      { ids: [7, 8], logprobs: [-0.25, -1.5], prompt_ids: null, version: null },
    ],
    [
      'SGLang',
      {
        model: 'm',
        choices: [
          {
            prompt_token_ids: [1, 2],
            logprobs: { content },
            meta_info: {
              weight_version: 'step-3',
              output_token_logprobs: [
                [-0.25, 7, null],
                [-1.5, 8, null],
              ],
            },
          },
        ],
      },
      { ids: [7, 8], logprobs: [-0.25, -1.5], prompt_ids: [1, 2], version: 'step-3' },
    ],
    [
      'llama.cpp',
      {
        model: 'm',
        choices: [{ logprobs: { content: content.map((each, place) => ({ ...each, id: 7 + place })) } }],
        __verbose: { tokens: [7, 8], prompt: 'x' },
      },
      { ids: [7, 8], logprobs: [-0.25, -1.5], prompt_ids: null, version: 'm' },
    ],
    [
      'OpenAI',
      { model: 'm', choices: [{ logprobs: { content } }] },
      { ids: null, texts: ['Hi', '!'], logprobs: [-0.25, -1.5], prompt_ids: null, version: 'm' },
    ],
    [
      'a server without any',
      { model: 'm', choices: [{ message: { content: 'Hi!' } }] },
      { ids: null, logprobs: null, prompt_ids: null, version: 'm' },
    ],
  ])('%s', (_name, body, expected) => {
    expect(readChoiceTokens(body, 'vllm')).toEqual([{ source: 'vllm', ...expected, warnings: [] }])
  })
})

describe('faults are unknown, with a warning, and never 0', () => {
  const read = (choice: object) => readChoiceTokens({ choices: [choice] }, 'vllm')[0]

  test.each([
    ['a negative id', { token_ids: [7, -1] }],
    ['a fraction', { token_ids: [7.5] }],
    ['a text', { token_ids: ['7'] }],
    ['no list', { token_ids: { 0: 7 } }],
  ])('%s', (_name, choice) => {
    const found = read(choice)
    expect(found?.ids).toBeNull()
    expect(found?.warnings.join()).toContain(Array.isArray(choice.token_ids) ? 'whole numbers' : '')
  })

  test.each([[null], ['-1'], [0.5], [-9999], [undefined]])('the log-probability %j', (logprob) => {
    const found = read({ token_ids: [7, 8], logprobs: { content: [{ logprob: -1 }, { logprob }] } })
    expect(found?.logprobs).toEqual([-1, null])
    expect(found?.warnings.join()).toContain('1 of 2 log-probabilities')
  })

  test('fewer log-probabilities than tokens, without ids of their own', () => {
    const found = read({ token_ids: [7, 8, 9], logprobs: { content } })
    expect(found).toMatchObject({ ids: [7, 8, 9], logprobs: null })
    expect(found?.warnings.join()).toContain('3 tokens and 2 log-probabilities')
  })

  test('fewer log-probabilities than tokens, which name theirs', () => {
    const entries = [
      { id: 19, logprob: -5 },
      { id: 32, logprob: -6 },
    ]
    const found = read({ token_ids: [19, 222, 32], logprobs: { content: entries } })
    expect(found).toMatchObject({ ids: [19, 222, 32], logprobs: [-5, null, -6] })
  })

  test('an id beyond the vocabulary, and prompts that differ', () => {
    const call = { call: 'c', model: 'a/b', sampler: {}, sent: null }
    const choices = readChoiceTokens(
      {
        choices: [
          { token_ids: [7], prompt_token_ids: [1] },
          { token_ids: [700], prompt_token_ids: [2] },
        ],
      },
      'vllm',
    ).map((tokens) => ({ content: 'x', tokens }))
    const record = recordTokens({ ...call, vocabulary: 700 }, choices)
    expect(record).toMatchObject({ prompt_ids: null, answers: [{ ids: [7] }, { ids: null }] })
    expect(record?.warnings).toEqual([
      'Id 700 of answer 2 is beyond the vocabulary of 700 tokens, so its ids count as unknown.',
      'The prompts of the answers differ, so their ids count as unknown.',
    ])
    expect(recordTokens({ ...call, vocabulary: 701 }, choices)?.answers[1]?.ids).toEqual([700])
  })

  test('any body is read without an error, and every logprob is a negative number or unknown', () => {
    const choice = fc.record(
      {
        token_ids: fc.oneof(fc.array(fc.nat()), fc.anything()),
        prompt_token_ids: fc.anything(),
        meta_info: fc.anything(),
        logprobs: fc.oneof(
          fc.record({ content: fc.array(fc.record({ logprob: fc.anything(), token: fc.anything() })) }),
          fc.anything(),
        ),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.array(choice, { maxLength: 3 }), (choices) => {
        for (const { ids, logprobs } of readChoiceTokens({ choices }, 'logprobs')) {
          if (ids !== null && logprobs !== null) expect(logprobs).toHaveLength(ids.length)
          for (const logprob of logprobs ?? []) expect(logprob === null || logprob <= 0).toBe(true)
        }
      }),
    )
  })
})

test('a log-probability is aligned with its own token or with none', () => {
  const tokens = fc.array(fc.record({ id: fc.nat({ max: 4 }), isLeftOut: fc.boolean() }), { maxLength: 12 })
  fc.assert(
    fc.property(tokens, (all) => {
      const own = all.map((token, place) => ({ ...token, logprob: -1 - place }))
      const stated = own.filter(({ isLeftOut }) => !isLeftOut)
      const aligned = alignLogprobs(
        own.map(({ id }) => id),
        stated,
      )
      for (const [place, logprob] of (aligned ?? []).entries()) {
        if (logprob !== null) expect(logprob).toBe(own[place]?.logprob)
      }
      if (stated.length === own.length && own.length > 0)
        expect(aligned).toEqual(own.map(({ logprob }) => logprob))
    }),
  )
  expect(alignLogprobs([1, 2], [{ id: 3, logprob: -1 }])).toBeNull()
})
