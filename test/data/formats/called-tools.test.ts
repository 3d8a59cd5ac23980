import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type {
  DatasetRow,
  RowMessage,
  RowTool,
  WeightedMessage,
} from '../../../shared/core/contracts/dataset-row.ts'
import type { JsonObject } from '../../../shared/core/contracts/json.ts'
import { datasetFormats, findFormat } from '../../../shared/data/formats/formats.ts'
import { writeAnswer } from '../../../shared/play/answers/write-calls.ts'
import { openaiRules } from './openai-rules.ts'
import { formatFacts, says, sees, system, write } from './sample-rows.ts'

const tools: RowTool[] = [
  {
    name: 'get',
    description: 'Fetches items.',
    schema: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
  },
  { name: 'inventory', description: 'Lists items.', schema: { type: 'object', properties: {} } },
]
const offered = tools.map(({ name, description, schema }) => ({
  type: 'function',
  function: { name, description, parameters: schema },
}))

const calls = (words: string, name: string, given: JsonObject): RowMessage =>
  says(
    writeAnswer(words, [{ id: '', type: 'function', function: { name, arguments: JSON.stringify(given) } }]),
  )

const start = [system, sees('Goal: a stick.')]
const get = calls('I need a log.', 'get', { item: 'log' })
const look: RowMessage = { ...calls('', 'inventory', {}), reasoning: 'What do I hold?' }
const got = sees('Got log.')

const chat: DatasetRow = {
  type: 'conversation',
  messages: [
    ...start,
    { ...get, weight: 0 },
    got,
    { ...says('Hm.'), weight: 1 },
    sees('Call a tool.'),
    { ...look, weight: 1 },
  ],
  tools,
}
const pair: DatasetRow = {
  type: 'preference',
  prompt: [...start, get, got],
  chosen: [look],
  rejected: [get],
  tools,
}
const judged: DatasetRow = {
  type: 'unpaired',
  prompt: start,
  completion: [get, got, look],
  label: true,
  tools,
}

const call = (number: string, name: string, given: unknown) => ({
  tool_calls: [{ id: `call${number}`, type: 'function', function: { name, arguments: given } }],
})

describe('a run of tools', () => {
  test('is for OpenAI a chat with calls as JSON, their results, and the tools', () => {
    expect(write('openai', 'exploration', chat)).toEqual({
      messages: [
        ...start,
        { role: 'assistant', content: 'I need a log.', weight: 0, ...call('00002', 'get', '{"item":"log"}') },
        { role: 'tool', content: 'Got log.', tool_call_id: 'call00002' },
        { ...says('Hm.'), weight: 1 },
        sees('Call a tool.'),
        { role: 'assistant', weight: 1, ...call('00006', 'inventory', '{}') },
      ],
      tools: offered,
      parallel_tool_calls: false,
    })
    expect(openaiRules.supervised.safeParse(write('openai', 'exploration', chat)).error).toBeUndefined()
    const written = write('openai', 'step-preference', pair)
    expect(openaiRules.preference.safeParse(written).error).toBeUndefined()
    expect(written).toMatchObject({
      input: { messages: [...start, {}, { role: 'tool', tool_call_id: 'call00002' }], tools: offered },
      preferred_output: [call('00004', 'inventory', '{}')],
      non_preferred_output: [call('00004', 'get', '{"item":"log"}')],
    })
  })

  test('is for TRL the same with arguments as objects, and with thoughts', () => {
    expect(
      write('trl', 'sft', {
        ...chat,
        messages: chat.messages.map(({ weight, ...turn }) => ({
          ...turn,
          ...(weight !== undefined && { weight: 1 as const }),
        })),
      }),
    ).toEqual({
      messages: [
        ...start,
        { role: 'assistant', content: 'I need a log.', ...call('00002', 'get', { item: 'log' }) },
        { role: 'tool', content: 'Got log.', tool_call_id: 'call00002' },
        says('Hm.'),
        sees('Call a tool.'),
        {
          role: 'assistant',
          content: '',
          reasoning_content: 'What do I hold?',
          ...call('00006', 'inventory', {}),
        },
      ],
      tools: offered,
    })
    expect(write('trl', 'unpaired', judged)).toMatchObject({
      prompt: start,
      completion: [
        call('00002', 'get', { item: 'log' }),
        { role: 'tool', tool_call_id: 'call00002' },
        call('00004', 'inventory', {}),
      ],
      tools: offered,
    })
  })

  test('is for LLaMA-Factory function_call and observation, with the tools as JSON', () => {
    expect(write('llama-factory', 'unpaired', { ...judged, completion: [look] })).toEqual({
      conversations: [
        { from: 'human', value: 'Goal: a stick.' },
        {
          from: 'function_call',
          value: '<think>\nWhat do I hold?\n</think>\n\n{"name":"inventory","arguments":{}}',
        },
      ],
      system: system.content,
      tools: JSON.stringify(
        tools.map(({ name, description, schema: parameters }) => ({ name, description, parameters })),
      ),
      kto_tag: true,
    })
    expect(write('llama-factory', 'step-preference', pair)).toMatchObject({
      conversations: [
        { from: 'human' },
        {
          from: 'function_call',
          value: 'I need a log.\n<tool_call>{"name":"get","arguments":{"item":"log"}}</tool_call>',
        },
        { from: 'observation', value: 'Got log.' },
      ],
      chosen: { from: 'function_call' },
      rejected: { from: 'function_call' },
    })
    const facts = formatFacts('unpaired', { structure: { calls: true, thoughts: false } })
    const [info] = findFormat('llama-factory').companions(facts)
    expect(JSON.parse(info?.text ?? '')).toMatchObject({
      sticks_and_stones: {
        columns: { tools: 'tools' },
        tags: { observation_tag: 'observation', function_tag: 'function_call' },
      },
    })
  })

  test('is for axolotl a chat with flags; its pairs, of which it reads only texts, have the calls in these', () => {
    expect(write('axolotl', 'exploration', chat)).toMatchObject({
      messages: [
        {},
        {},
        { train: false, ...call('00002', 'get', { item: 'log' }) },
        { role: 'tool', train: false },
        { train: true },
        { train: false },
        { train: true, reasoning_content: 'What do I hold?' },
      ],
      tools: offered,
    })
    expect(write('axolotl', 'step-preference', pair)).toEqual({
      messages: [...start, get, got],
      chosen: { role: 'assistant', content: look.content },
      rejected: get,
    })
  })

  test('has its calls in the text where a format has no field for them', () => {
    for (const format of ['xtuner', 'fastchat', 'agenttraj', 'agent-r'] as const) {
      const row = {
        ...chat,
        messages: chat.messages.map((turn) =>
          turn.role === 'assistant' ? { ...turn, weight: 1 as const } : turn,
        ),
      }
      const text = JSON.stringify(write(format, 'sft', row))
      expect(text, format).toContain(JSON.stringify(get.content).slice(1, -1))
      expect(text, format).not.toContain('What do I hold?')
    }
  })
})

const rows = {
  sft: chat,
  revision: chat,
  exploration: chat,
  preference: pair,
  'step-preference': pair,
  unpaired: judged,
} as const

test('every format shows the turns of a run of tools, each call in its text', () => {
  for (const format of datasetFormats) {
    for (const kind of format.kinds) {
      const row = kind in rows ? rows[kind as keyof typeof rows] : null
      if (row === null) continue
      const learns = (turn: WeightedMessage, last: boolean) =>
        turn.role === 'assistant'
          ? { ...turn, weight: last || kind !== 'exploration' ? (1 as const) : (0 as const) }
          : turn
      const fits =
        row.type === 'conversation'
          ? { ...row, messages: row.messages.map((turn, at) => learns(turn, at === row.messages.length - 1)) }
          : row.type === 'unpaired' && format.id === 'llama-factory'
            ? {
                ...row,
                prompt: [...row.prompt, ...row.completion.slice(0, -1)],
                completion: row.completion.slice(-1),
              }
            : row
      const data = write(format.id, kind, fits)
      const text = JSON.stringify(format.show(data, kind))
      expect(text, `${format.id} ${kind}`).toContain('inventory')
      expect(text.includes('What do I hold?'), `${format.id} ${kind}`).toBe(
        format.keepsThoughts?.(kind) === true,
      )
    }
  }
})

test('rows that show pictures have the calls beside them, and places in the results', () => {
  const picture = { type: 'blob' as const, sha256: 'a'.repeat(64), media_type: 'image/png' }
  const seen: RowMessage = { ...got, pictures: [picture] }
  const row: DatasetRow = {
    type: 'conversation',
    messages: [...start, { ...get, weight: 0 }, seen, { ...look, weight: 1 }],
    tools,
  }
  const written = write('trl', 'exploration', row, { isPictured: true })
  expect(written).toMatchObject({
    prompt: [
      {},
      {},
      { content: [{ type: 'text', text: 'I need a log.' }], ...call('00002', 'get', { item: 'log' }) },
      { role: 'tool', tool_call_id: 'call00002', content: [{ text: 'Got log.' }, { type: 'image' }] },
    ],
    completion: [{ ...call('00004', 'inventory', {}), reasoning_content: 'What do I hold?' }],
    tools: offered,
  })
  const [prompt, completion] = findFormat('trl').show(written, 'exploration')
  expect(prompt?.turns.at(-1)).toMatchObject({ role: 'tool', pictures: [{}] })
  expect(completion?.turns[0]?.content).toContain('inventory')
  const { conversations } = write('llama-factory', 'exploration', row, { isPictured: true }) as {
    conversations: { from: string; value: string }[]
  }
  expect(conversations[2]).toEqual({ from: 'observation', value: 'Got log.<image>' })
  expect(write('openai', 'exploration', row, { isPictured: true })).toMatchObject({
    messages: [{}, {}, {}, { role: 'tool', content: [{ type: 'text' }, { type: 'image_url' }] }, {}],
  })
})

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const given = fc.dictionary(word, fc.oneof(fc.string(), fc.integer(), fc.array(word, { maxLength: 2 })), {
  maxKeys: 3,
  noNullPrototype: true,
})

test('whatever a call holds, its arguments come back from the row, and its words stay beside it', () => {
  const anyCall = fc.record({ words: fc.stringMatching(/^[A-Z][a-z ,.]{0,30}[a-z]$/), name: word, given })
  fc.assert(
    fc.property(fc.array(anyCall, { minLength: 1, maxLength: 4 }), (all) => {
      const messages = all.flatMap((each) => [
        { ...calls(each.words, each.name, each.given as JsonObject), weight: 1 as const },
        sees('ok'),
      ])
      const row: DatasetRow = { type: 'conversation', messages: [...start, ...messages.slice(0, -1)], tools }
      const written = write('trl', 'sft', row) as {
        messages: {
          role: string
          content: string
          tool_calls?: { function: { name: string; arguments: object } }[]
          tool_call_id?: string
        }[]
      }
      const acted = written.messages.filter(({ role }) => role === 'assistant')
      expect(
        acted.map(({ content, tool_calls }) => ({ words: content, ...tool_calls?.[0]?.function })),
      ).toEqual(all.map((each) => ({ words: each.words, name: each.name, arguments: each.given })))
      expect(written.messages.filter(({ role }) => role === 'tool')).toHaveLength(all.length - 1)
      const ids = written.messages.flatMap(({ tool_calls = [] }) =>
        tool_calls.map((each) => (each as { id?: string }).id),
      )
      expect(new Set(ids).size).toBe(all.length)
    }),
  )
})

test('the call of a turn is the one that was made, also behind words that quote another', () => {
  const quoting = calls(`As in ${calls('', 'inventory', {}).content}`, 'get', { item: 'log' })
  const { messages } = write('openai', 'exploration', { ...chat, messages: [...start, quoting] })
  expect((messages as JsonObject[]).at(-1)).toMatchObject({
    content: 'As in',
    ...call('00002', 'get', '{"item":"log"}'),
  })
})
