import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { costOf } from '../../../shared/play/models/prices.ts'
import {
  completeUsage,
  readInputTokens,
  readTokenCounts,
} from '../../../shared/play/models/read-token-counts.ts'
import { chatRequest, completion } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const counted = (usage: object) => readTokenCounts({ usage })

describe('readTokenCounts', () => {
  it.each([
    [
      'OpenAI, reasoning within the completion',
      {
        prompt_tokens: 100,
        completion_tokens: 1010,
        total_tokens: 1110,
        completion_tokens_details: { reasoning_tokens: 1000 },
      },
      [100, 1010, 0, 1000],
    ],
    [
      'reasoning beside the completion, within the total',
      {
        prompt_tokens: 100,
        completion_tokens: 10,
        total_tokens: 1110,
        completion_tokens_details: { reasoning_tokens: 1000 },
      },
      [100, 1010, 0, 1000],
    ],
    [
      'reasoning shorter than the completion, beside it',
      {
        prompt_tokens: 100,
        completion_tokens: 500,
        total_tokens: 900,
        completion_tokens_details: { reasoning_tokens: 300 },
      },
      [100, 800, 0, 300],
    ],
    [
      'reasoning beyond the completion without a total',
      { prompt_tokens: 100, completion_tokens: 10, completion_tokens_details: { reasoning_tokens: 1000 } },
      [100, 1010, 0, 1000],
    ],
    [
      'a total alone that says more',
      { prompt_tokens: 100, completion_tokens: 10, total_tokens: 1110 },
      [100, 1010, 0, 0],
    ],
    [
      'a total below the sum',
      { prompt_tokens: 100, completion_tokens: 10, total_tokens: 50 },
      [100, 10, 0, 0],
    ],
    ['a total without a completion', { prompt_tokens: 100, total_tokens: 150 }, [100, 50, 0, 0]],
    ['a total without a prompt', { completion_tokens: 10, total_tokens: 150 }, [140, 10, 0, 0]],
    [
      'DeepSeek',
      {
        prompt_tokens: 1000,
        prompt_cache_hit_tokens: 900,
        prompt_cache_miss_tokens: 100,
        completion_tokens: 5,
      },
      [1000, 5, 900, 0],
    ],
    [
      'DeepSeek, hits alone',
      { prompt_tokens: 1000, prompt_cache_hit_tokens: 900, completion_tokens: 5 },
      [1000, 5, 900, 0],
    ],
    [
      'DeepSeek beside a zero of OpenAI',
      {
        prompt_tokens: 1000,
        prompt_cache_hit_tokens: 900,
        prompt_tokens_details: { cached_tokens: 0 },
        completion_tokens: 5,
      },
      [1000, 5, 900, 0],
    ],
    [
      'hits and misses alone',
      { prompt_cache_hit_tokens: 900, prompt_cache_miss_tokens: 100, completion_tokens: 5 },
      [1000, 5, 900, 0],
    ],
    [
      'Moonshot',
      { prompt_tokens: 1000, cached_tokens: 900, completion_tokens: 5, total_tokens: 1005 },
      [1000, 5, 900, 0],
    ],
    ...['cachedTokens', 'cached_prompt_tokens', 'cache_read_tokens'].map(
      (name): [string, object, number[]] => [
        name,
        { prompt_tokens: 1000, [name]: 900, completion_tokens: 5 },
        [1000, 5, 900, 0],
      ],
    ),
    [
      'details in camel case, and thoughts beside the output',
      {
        promptTokens: 1000,
        completionTokens: 5,
        promptTokensDetails: { cachedTokens: 900 },
        completion_tokens_details: { thinking_tokens: 400 },
      },
      [1000, 405, 900, 400],
    ],
    [
      'OpenAI Responses',
      {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 900 },
        output_tokens: 50,
        output_tokens_details: { reasoning_tokens: 40 },
        total_tokens: 1050,
      },
      [1000, 50, 900, 40],
    ],
    [
      'Anthropic',
      { input_tokens: 100, cache_read_input_tokens: 800, cache_creation_input_tokens: 50, output_tokens: 7 },
      [950, 7, 800, 0],
    ],
    [
      'Anthropic without a hit',
      { input_tokens: 100, cache_read_input_tokens: 0, cache_creation_input_tokens: 0, output_tokens: 7 },
      [100, 7, 0, 0],
    ],
    [
      'Anthropic through LiteLLM',
      {
        prompt_tokens: 950,
        completion_tokens: 7,
        total_tokens: 957,
        cache_read_input_tokens: 800,
        cache_creation_input_tokens: 50,
        prompt_tokens_details: { cached_tokens: 800 },
      },
      [950, 7, 800, 0],
    ],
    [
      'Anthropic under names of OpenAI',
      { prompt_tokens: 100, completion_tokens: 7, cache_read_input_tokens: 800 },
      [900, 7, 800, 0],
    ],
    [
      'Bedrock Converse',
      {
        inputTokens: 100,
        outputTokens: 7,
        cacheReadInputTokens: 800,
        cacheWriteInputTokens: 50,
        totalTokens: 957,
      },
      [950, 7, 800, 0],
    ],
    [
      'a cache beyond the prompt',
      { prompt_tokens: 100, completion_tokens: 7, cached_tokens: 900 },
      [1000, 7, 900, 0],
    ],
    ['Fireworks, TGI', { num_prompt_tokens: 100, generated_tokens: 7 }, [100, 7, 0, 0]],
    ['figures as texts, where OpenAI has none', { input_tokens: '100', output_tokens: '7' }, [100, 7, 0, 0]],
    [
      'figures that are none',
      { input_tokens: 'many', output_tokens: -7, total_tokens: 1.5 },
      [null, null, 0, 0],
    ],
    ['nulls', { prompt_tokens: null, completion_tokens: null, total_tokens: null }, [null, null, 0, 0]],
    ['nothing', {}, [null, null, 0, 0]],
  ])('reads %s', (_what, usage, [input, output, cached, reasoning]) => {
    expect(counted(usage)).toMatchObject({
      input_tokens: input,
      output_tokens: output,
      cached_tokens: cached,
      reasoning_tokens: reasoning,
    })
  })

  it.each([
    ['Ollama', { prompt_eval_count: 26, eval_count: 290 }, [26, 290, 0]],
    [
      'Gemini',
      {
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 10,
          thoughtsTokenCount: 300,
          cachedContentTokenCount: 60,
          totalTokenCount: 410,
        },
      },
      [100, 310, 300],
    ],
    ['Groq', { x_groq: { usage: { prompt_tokens: 5, completion_tokens: 6 } } }, [5, 6, 0]],
    ['usage that is a text', { usage: 'many' }, [null, null, 0]],
    ['a list', [], [null, null, 0]],
    ['nothing', null, [null, null, 0]],
  ])('finds the counts of %s', (_what, body, [input, output, reasoning]) => {
    expect(readTokenCounts(body)).toMatchObject({
      input_tokens: input,
      output_tokens: output,
      reasoning_tokens: reasoning,
    })
  })

  const count = fc.option(fc.nat(5000), { nil: undefined })
  const figures = fc.record({
    prompt_tokens: count,
    completion_tokens: count,
    total_tokens: count,
    input_tokens: count,
    output_tokens: count,
    cached_tokens: count,
    prompt_cache_hit_tokens: count,
    prompt_cache_miss_tokens: count,
    cache_read_input_tokens: count,
    cache_creation_input_tokens: count,
    completion_tokens_details: fc.record({ reasoning_tokens: count }),
    prompt_tokens_details: fc.record({ cached_tokens: count }),
  })
  const estimates = { input: () => 50, output: () => 20 }

  it('never counts less than a field proves, in tokens or in money', () => {
    fc.assert(
      fc.property(figures, (usage) => {
        const read = counted(usage)
        if (read === null) throw new Error('Small figures can be.')
        const { input_tokens, output_tokens, cached_tokens, reasoning_tokens } = completeUsage(
          read,
          estimates,
        )
        const cached = Math.max(
          usage.cached_tokens ?? 0,
          usage.prompt_cache_hit_tokens ?? 0,
          usage.cache_read_input_tokens ?? 0,
          usage.prompt_tokens_details.cached_tokens ?? 0,
        )
        for (const least of [
          usage.completion_tokens,
          usage.output_tokens,
          usage.completion_tokens_details.reasoning_tokens,
        ])
          expect(output_tokens).toBeGreaterThanOrEqual(least ?? 0)
        for (const least of [usage.prompt_tokens, usage.input_tokens, cached])
          expect(input_tokens).toBeGreaterThanOrEqual(least ?? 0)
        expect(input_tokens + output_tokens).toBeGreaterThanOrEqual(usage.total_tokens ?? 0)
        expect(cached_tokens).toBeLessThanOrEqual(input_tokens)
        expect(reasoning_tokens).toBeLessThanOrEqual(output_tokens)
        expect(input_tokens - cached_tokens).toBeGreaterThanOrEqual(
          Math.min(input_tokens, usage.prompt_cache_miss_tokens ?? 0),
        )
        const price = { input: 1, cached_input: 0.1, output: 10 }
        const proven = costOf(price, {
          input_tokens: Math.max(usage.prompt_tokens ?? 0, cached),
          cached_tokens: cached,
          output_tokens: usage.completion_tokens ?? 0,
        })
        const cost = costOf(price, { input_tokens, cached_tokens, output_tokens })
        expect(cost).toBeGreaterThanOrEqual(proven as number)
      }),
    )
  })

  it('gives the same in whatever order and beside whatever else the figures stand', () => {
    fc.assert(
      fc.property(figures, (usage) => {
        const turned = Object.fromEntries([...Object.entries(usage), ['queue_time', 0.5]].reverse())
        expect(counted(turned)).toEqual(counted(usage))
      }),
    )
  })

  it('refuses figures that cannot be, wherever they stand', () => {
    for (const usage of [
      { prompt_tokens: 1, completion_tokens: 1, total_tokens: 1e12 },
      { prompt_tokens: 1, completion_tokens_details: { reasoning_tokens: 1e12 } },
      { prompt_tokens: 1, cached_tokens: 1e12 },
    ]) {
      expect(counted(usage)).toBeNull()
    }
  })

  it('reads the tokens of answers that are no text', () => {
    expect(readInputTokens({ usage: { prompt_tokens: 5, total_tokens: 5 } })).toBe(5)
    expect(readInputTokens({ usage: { total_tokens: 7 } })).toBe(7)
    expect(readInputTokens({ meta_info: { prompt_tokens: 9 } })).toBe(9)
    expect(readInputTokens({})).toBeNull()
  })
})

describe('a call', () => {
  const prices = { 'gpt-test': { input: 1, output: 10 } }
  const reasoned = {
    prompt_tokens: 100,
    completion_tokens: 10,
    total_tokens: 1110,
    completion_tokens_details: { reasoning_tokens: 1000 },
  }

  it('is paid for by its reasoning where the completion leaves that out', async () => {
    const { model } = scriptedModels([() => Response.json(completion('x', reasoned))], { prices })
    const answer = await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(answer).toMatchObject({
      input_tokens: 100,
      output_tokens: 1010,
      reasoning_tokens: 1000,
      cost: 0.0102,
    })
  })

  it('is reserved for with as much beyond max_tokens as an earlier one took', async () => {
    const { model } = scriptedModels([() => Response.json(completion('x', reasoned))], { prices })
    const meter = recordingMeter()
    await model.complete(chatRequest(), { meter })
    await model.complete(chatRequest(), { meter })
    const [first, second] = meter.bounds.map(({ tokens }) => tokens)
    expect((second ?? 0) - (first ?? 0)).toBe(910)
  })

  it('whose endpoint counts nothing is counted from its texts', async () => {
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }
    const { model } = scriptedModels([() => Response.json(completion('abc', zeros))], { prices })
    const answer = await model.complete(chatRequest(), { meter: recordingMeter() })
    expect(answer).toMatchObject({ input_tokens: 11, output_tokens: 1 })
  })
})
