import { chatRequest } from './chat-request.ts'
import { recordingMeter } from './recording-meter.ts'
import { scriptedModels } from './scripted-models.ts'

const prices = { '*': { input: 1, output: 10 } }
export const tools = [{ name: 'get', description: 'Gets.', schema: { type: 'object', properties: {} } }]

export const askProvider = async (
  kind: string,
  body: unknown,
  changes: object = {},
  endpoint: object = {},
) => {
  const { model, seen } = scriptedModels([() => Response.json(body)], {
    kind,
    max_retries: 0,
    prices,
    ...endpoint,
  })
  const meter = recordingMeter()
  const answer = await model.complete(chatRequest(changes), { meter })
  return { answer, seen, meter }
}

export const response = (output: object[], more: object = {}) => ({
  object: 'response',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output,
  usage: {
    input_tokens: 1000,
    input_tokens_details: { cached_tokens: 400, cache_write_tokens: 0 },
    output_tokens: 100,
    output_tokens_details: { reasoning_tokens: 60 },
    total_tokens: 1100,
  },
  ...more,
})
export const said = (text: string) => ({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text }],
})
export const sealed = { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }
export const called = {
  type: 'function_call',
  id: 'fc_1',
  call_id: 'call_x',
  name: 'get',
  arguments: '{"a":1}',
}

export const message = (content: object[], more: object = {}) => ({
  type: 'message',
  role: 'assistant',
  content,
  stop_reason: 'end_turn',
  usage: {
    input_tokens: 100,
    cache_creation_input_tokens: 500,
    cache_read_input_tokens: 400,
    output_tokens: 100,
  },
  ...more,
})
