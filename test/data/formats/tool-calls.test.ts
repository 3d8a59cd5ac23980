import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ImportSettingsInput } from '../../../shared/core/contracts/trajectory-import.ts'
import { readOne } from './read-one.ts'

type Format = ImportSettingsInput['format']
type Rows = Record<string, (turn: PlayedTurn) => { format: Format; row: object }>

interface Call {
  name: string
  arguments: object
}

/** An answer with one call or more, and the results of these. */
interface PlayedTurn {
  text: string
  reasoning: string | null
  calls: Call[]
  results: string[]
}

const ask = 'Find the weather.'
const last = 'It rains in Bern.'
const ids = (calls: readonly Call[]) => calls.map((call, index) => ({ call, id: `call_${index}` }))
const beside = ({ reasoning }: PlayedTurn, name: string) => (reasoning === null ? {} : { [name]: reasoning })
const results = (turn: PlayedTurn, message: (id: string, content: string) => object) =>
  turn.results.map((content, index) => message(`call_${index}`, content))
const openaiCalls = (calls: readonly Call[], write: (given: object) => unknown) =>
  ids(calls).map(({ id, call }) => ({
    id,
    type: 'function',
    function: { name: call.name, arguments: write(call.arguments) },
  }))
const chat = (turn: PlayedTurn, answer: object) => ({
  messages: [
    { role: 'user', content: ask },
    { role: 'assistant', content: turn.text === '' ? null : turn.text, ...answer },
    ...results(turn, (tool_call_id, content) => ({ role: 'tool', tool_call_id, content })),
    { role: 'assistant', content: last },
  ],
})

/** Every way in which files write a turn with any number of calls. */
const anyCalls: Rows = {
  'OpenAI’s tool_calls with arguments as text': (turn) => ({
    format: 'openai',
    row: chat(turn, {
      tool_calls: openaiCalls(turn.calls, (given) => JSON.stringify(given)),
      ...beside(turn, 'reasoning_content'),
    }),
  }),
  'tool_calls among additional arguments, as LangChain has them': (turn) => ({
    format: 'openai',
    row: chat(turn, {
      additional_kwargs: { tool_calls: openaiCalls(turn.calls, (given) => JSON.stringify(given)) },
      ...beside(turn, 'reasoning_content'),
    }),
  }),
  'tool_calls with arguments as an object, as TRL has them': (turn) => {
    const answer = {
      tool_calls: openaiCalls(turn.calls, (given) => given),
      ...beside(turn, 'reasoning'),
    }
    const [question, ...completion] = chat(turn, answer).messages
    return { format: 'trl', row: { prompt: [question], completion } }
  },
  'tool_calls with the name beside the arguments, as Inspect logs have them': (turn) => ({
    format: 'openai',
    row: chat(turn, {
      content: [
        ...(turn.reasoning === null ? [] : [{ type: 'reasoning', reasoning: turn.reasoning }]),
        { type: 'text', text: turn.text },
      ],
      tool_calls: ids(turn.calls).map(({ id, call }) => ({
        id,
        type: 'function',
        function: call.name,
        arguments: call.arguments,
      })),
    }),
  }),
  'Anthropic’s blocks': (turn) => ({
    format: 'axolotl',
    row: {
      messages: [
        { role: 'user', content: [{ type: 'text', text: ask }] },
        {
          role: 'assistant',
          content: [
            ...(turn.reasoning === null
              ? []
              : [{ type: 'thinking', thinking: turn.reasoning, signature: 'x' }]),
            ...(turn.text === '' ? [] : [{ type: 'text', text: turn.text }]),
            ...ids(turn.calls).map(({ id, call }) => ({
              type: 'tool_use',
              id,
              name: call.name,
              input: call.arguments,
            })),
          ],
        },
        {
          role: 'user',
          content: results(turn, (tool_use_id, text) => ({
            type: 'tool_result',
            tool_use_id,
            content: [{ type: 'text', text }],
          })),
        },
        { role: 'assistant', content: [{ type: 'text', text: last }] },
      ],
    },
  }),
  'items of the Responses API': (turn) => ({
    format: 'openai',
    row: {
      input: [{ role: 'user', content: [{ type: 'input_text', text: ask }] }],
      output: [
        ...(turn.reasoning === null
          ? []
          : [{ type: 'reasoning', summary: [{ type: 'summary_text', text: turn.reasoning }] }]),
        ...(turn.text === ''
          ? []
          : [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: turn.text }] }]),
        ...ids(turn.calls).map(({ id, call }) => ({
          type: 'function_call',
          call_id: id,
          name: call.name,
          arguments: JSON.stringify(call.arguments),
        })),
        ...results(turn, (call_id, output) => ({ type: 'function_call_output', call_id, output })),
        { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: last }] },
      ],
    },
  }),
  ATIF: (turn) => ({
    format: 'atif',
    row: {
      schema_version: 'ATIF-v1.6',
      session_id: 's',
      agent: { name: 'terminus', version: '1' },
      steps: [
        { step_id: 1, source: 'user', message: ask },
        {
          step_id: 2,
          source: 'agent',
          message: turn.text,
          ...beside(turn, 'reasoning_content'),
          tool_calls: ids(turn.calls).map(({ id, call }) => ({
            tool_call_id: id,
            function_name: call.name,
            arguments: call.arguments,
          })),
          observation: {
            results: results(turn, (source_call_id, content) => ({ source_call_id, content })),
          },
        },
      ],
    },
  }),
  'ShareGPT with tool_calls beside the value': (turn) => ({
    format: 'llama-factory',
    row: {
      conversations: [
        { from: 'human', value: ask },
        {
          from: 'gpt',
          value: turn.text,
          tool_calls: openaiCalls(turn.calls, (given) => given),
          ...beside(turn, 'thinking'),
        },
        ...results(turn, (_, value) => ({ from: 'tool', value })),
        { from: 'gpt', value: last },
      ],
    },
  }),
  'function_call turns of LLaMA-Factory, the thought before the JSON': (turn) => ({
    format: 'llama-factory',
    row: {
      conversations: [
        { from: 'human', value: ask },
        {
          from: 'function_call',
          value: `${turn.text === '' ? '' : `${turn.text}\n`}${JSON.stringify(turn.calls.length === 1 ? turn.calls[0] : turn.calls)}`,
          ...beside(turn, 'reasoning_content'),
        },
        { from: 'observation', value: turn.results.join('\n') },
        { from: 'gpt', value: last },
      ],
    },
  }),
  'AgentGym with a thought and a call of its own turn': (turn) => ({
    format: 'agenttraj',
    row: {
      item_id: 'textcraft_1',
      conversations: [
        { from: 'human', loss: null, value: ask },
        ...(turn.text === ''
          ? []
          : [{ from: 'gpt', loss: true, value: turn.text, ...beside(turn, 'reasoning') }]),
        {
          from: 'function_call',
          loss: true,
          value: JSON.stringify(turn.calls),
          ...(turn.text === '' && beside(turn, 'reasoning')),
        },
        { from: 'observation', loss: null, value: turn.results.join('\n') },
        { from: 'gpt', loss: true, value: last },
      ],
    },
  }),
}

/** Ways that write one call alone. */
const oneCall: Rows = {
  'the function_call of before': (turn) => ({
    format: 'openai',
    row: {
      messages: [
        { role: 'user', content: ask },
        {
          role: 'assistant',
          content: turn.text,
          function_call: {
            name: turn.calls[0]?.name,
            arguments: JSON.stringify(turn.calls[0]?.arguments),
          },
          ...beside(turn, 'reasoning_content'),
        },
        { role: 'function', name: turn.calls[0]?.name, content: turn.results[0] },
        { role: 'assistant', content: last },
      ],
    },
  }),
  'ETO’s conversations with chat messages': (turn) => ({
    format: 'eto',
    row: {
      id: 1,
      conversations: chat(turn, {
        ...beside(turn, 'reasoning'),
        tool_calls: openaiCalls(turn.calls, JSON.stringify),
      }).messages,
    },
  }),
}

const word = fc.stringMatching(/^[a-z]{1,8}$/)
const text = fc.stringMatching(/^[A-Z][a-z ,.!]{0,30}$/).map((said) => said.trim())
const call = fc.record({
  name: fc.stringMatching(/^[a-z][a-z_]{1,10}$/),
  arguments: fc.dictionary(word, fc.oneof(fc.string(), fc.integer(), fc.array(word, { maxLength: 2 })), {
    maxKeys: 3,
    noNullPrototype: true,
  }),
})
const turnOf = (most: number) =>
  fc
    .record({
      text: fc.oneof(fc.constant(''), text),
      reasoning: fc.option(
        text.map((thought) => `Because ${thought}`),
        { nil: null },
      ),
      calls: fc.array(call, { minLength: 1, maxLength: most }),
    })
    .chain((turn) =>
      fc
        .array(text, { minLength: turn.calls.length, maxLength: turn.calls.length })
        .map((results): PlayedTurn => ({ ...turn, results })),
    )

describe.each([
  ...Object.entries(anyCalls).map(([name, write]) => [name, write, 3] as const),
  ...Object.entries(oneCall).map(([name, write]) => [name, write, 1] as const),
])('%s', (_, write, most) => {
  test('keeps the text, every call and every result, and the reasoning apart', async () => {
    await fc.assert(
      fc.asyncProperty(turnOf(most), async (turn) => {
        const { nodes, messages } = await readOne(write(turn))
        const written = turn.calls.map((each) => `${each.name} ${JSON.stringify(each.arguments)}`)
        expect(messages).toEqual([{ role: 'user', content: ask }])
        const [, node] = nodes
        expect(node?.action).toBe(written.join('\n'))
        expect(node?.message).toBe(
          [...(turn.text === '' ? [] : [turn.text]), ...written.map((each) => `Action: ${each}`)].join('\n'),
        )
        expect(node?.reasoning).toBe(turn.reasoning ?? undefined)
        expect(node?.observation).toEqual([{ type: 'text', text: turn.results.join('\n') }])
      }),
      { numRuns: 50 },
    )
  })
})
