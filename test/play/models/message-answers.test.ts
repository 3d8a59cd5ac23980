import { describe, expect, it, test } from 'vitest'
import type { PromptMessage } from '../../../shared/core/contracts/message.ts'
import { askProvider, message, tools } from './provider-bodies.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

describe('the Messages API', () => {
  const hello = message([{ type: 'text', text: 'hi' }])

  it('gets its version, its key, system texts apart and marks for the cache', async () => {
    const messages: PromptMessage[] = [
      { role: 'system', content: 'Rules.' },
      { role: 'user', content: 'Go.' },
      { role: 'assistant', content: '' },
      { role: 'user', content: '' },
    ]
    const endpoint = {
      base_url: 'https://proxy.example/v1/',
      api_key_env: 'THE_KEY',
      tool_choice: 'required',
    }
    const changes = { messages, tools, stop: ['\n', 'END'], reasoning_effort: 'high', temperature: 0.5 }
    const { seen } = await askProvider('anthropic', hello, changes, endpoint)
    const cache_control = { type: 'ephemeral' }
    expect(seen[0]?.url).toBe('https://proxy.example/v1/messages')
    expect(seen[0]?.headers.get('x-api-key')).toBe('sk-very-secret-1234')
    expect(seen[0]?.headers.get('authorization')).toBeNull()
    expect(seen[0]?.headers.get('anthropic-version')).toBe('2026-10-21')
    expect(seen[0]?.body).toEqual({
      model: 'gpt-test',
      max_tokens: 100,
      system: [{ type: 'text', text: 'Rules.', cache_control }],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Go.' },
            { type: 'text', text: '(empty)', cache_control },
          ],
        },
      ],
      tools: [{ name: 'get', description: 'Gets.', input_schema: tools[0]?.schema }],
      tool_choice: { type: 'any' },
      output_config: { effort: 'high' },
      stop_sequences: ['END'],
    })
    const old = await askProvider(
      'anthropic',
      hello,
      { temperature: 0.5 },
      { sampling: ['temperature'], cache: 'off' },
    )
    expect(old.seen[0]?.body).toMatchObject({ temperature: 0.5 })
    expect(old.seen[0]?.headers.get('anthropic-version')).toBe('2023-06-01')
    expect(JSON.stringify(old.seen[0]?.body)).not.toContain('cache_control')
  })

  test.each([
    ['five minutes', {}, (100 + 500 * 1.25 + 400 * 0.1 + 100 * 10) / 1e6],
    ['an hour', { cache: '1h' }, (100 + 500 * 2 + 400 * 0.1 + 100 * 10) / 1e6],
    [
      'a stated price',
      { prices: { '*': { input: 1, cached_input: 0.5, cache_write: 3, output: 10 } } },
      (100 + 500 * 3 + 400 * 0.5 + 1000) / 1e6,
    ],
  ])('has its reads and writes of the cache priced apart, for %s', async (_what, endpoint, cost) => {
    const { answer, meter } = await askProvider('anthropic', hello, { prompt_tokens: 1000 }, endpoint)
    expect(answer).toMatchObject({ input_tokens: 1000, cached_tokens: 400, output_tokens: 100 })
    expect(answer.cost).toBeCloseTo(cost, 9)
    expect(meter.bounds[0]?.cost).toBeGreaterThanOrEqual(cost)
  })

  it('sends thoughts back as they came, in their place, before the call under the id of the prompt', async () => {
    const thinking = { type: 'thinking', thinking: 'I need it.', signature: 'c2ln' }
    const hidden = { type: 'redacted_thinking', data: 'b3BhcXVl' }
    const content = [
      thinking,
      hidden,
      { type: 'text', text: 'I take it.' },
      { type: 'tool_use', id: 'toolu_1', name: 'get', input: { a: 1 } },
    ]
    const { answer } = await askProvider('anthropic', message(content, { stop_reason: 'tool_use' }), {
      tools,
    })
    const [choice] = answer.choices
    expect(choice).toMatchObject({
      content: 'I take it.',
      finish_reason: 'tool_calls',
      thinking: { text: 'I need it.' },
    })
    const turn = {
      role: 'assistant',
      content: 'I take it.',
      tool_calls: choice?.tool_calls,
      thinking: choice?.thinking,
    }
    const messages = [
      { role: 'user', content: 'Go.' },
      turn,
      { role: 'tool', tool_call_id: 'call00000', content: 'Got it.' },
    ] as PromptMessage[]
    const { seen } = await askProvider('anthropic', hello, { messages, tools }, { cache: 'off' })
    expect(seen[0]?.body.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'Go.' }] },
      {
        role: 'assistant',
        content: [
          thinking,
          hidden,
          { type: 'text', text: 'I take it.' },
          { type: 'tool_use', id: 'call00000', name: 'get', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call00000', content: [{ type: 'text', text: 'Got it.' }] },
        ],
      },
    ])
  })

  test.each([
    ['max_tokens', 'length', {}],
    ['model_context_window_exceeded', 'length', {}],
    ['stop_sequence', 'stop', {}],
    ['refusal', 'refusal', { refused: true }],
  ])('ends with %s as %s', async (stop_reason, finish_reason, more) => {
    const { answer } = await askProvider('anthropic', message([], { stop_reason }))
    expect(answer.choices).toEqual([{ content: '', finish_reason, ...more }])
  })

  it('has no embeddings and no values, and says so', async () => {
    const { models } = scriptedModels([], { kind: 'anthropic' })
    const options = { meter: recordingMeter() }
    await expect(models.embedding('mine').embed({ model: 'm', texts: ['a'] }, options)).rejects.toThrow(
      'no embeddings',
    )
    await expect(models.scorer('mine').score({ model: 'm', messages: [] }, options)).rejects.toThrow(
      'no trained values',
    )
  })
})
