import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { isDeepStrictEqual } from 'node:util'
import type {
  ContentBlock,
  Message,
  MessageCreateParams,
  RawMessageStreamEvent,
  ToolUseBlock,
} from '@anthropic-ai/sdk/resources/messages'
import type {
  ResponseCreateParams,
  ResponseFunctionToolCall,
  ResponseInputItem,
  ResponseOutputItem,
  ResponseReasoningItem,
  Response as ResponsesBody,
} from 'openai/resources/responses/responses'
import { onTestFinished } from 'vitest'
import { acceptRequest } from '../../shared/play/simulated/answer-request.ts'

type ChatCall = { id: string; type: 'function'; function: { name: string; arguments: string } }
type ChatTurn = { role: string; content: string | null; tool_calls?: ChatCall[]; tool_call_id?: string }

interface ChatAnswer {
  message: { content: string | null; tool_calls?: ChatCall[] }
  usage: { prompt_tokens: number; completion_tokens: number }
}

export interface ProviderServer {
  baseUrl: string
  /** The bodies of all requests, in their order. */
  bodies: Record<string, unknown>[]
  headers: IncomingMessage['headers'][]
}

/** An answer before that of the player, such as a 429; null to let the player answer. */
export type Interrupt = (response: ServerResponse, position: number) => boolean

export const thought = 'Let me see what I hold.'

/** The simulated player, who reads chat completions: both servers ask it in these. */
function askPlayer(model: string, messages: ChatTurn[], tools: object[] | undefined): ChatAnswer {
  const request = { model, messages, ...(tools && { tools }), temperature: 0 }
  const accepted = acceptRequest('/v1/chat/completions', JSON.stringify(request))
  if ('error' in accepted) throw new Error(JSON.stringify(accepted))
  const body = accepted.answer({ skill: 1, seed: 0 }).body as {
    choices: ChatAnswer[]
    usage: ChatAnswer['usage']
  }
  return { message: (body.choices[0] as ChatAnswer).message, usage: body.usage }
}

class Refusal extends Error {}

async function serve(
  path: string,
  answer: (body: Record<string, unknown>, request: IncomingMessage) => { whole: object; events: object[] },
  refuse: (message: string) => object,
  interrupt: Interrupt,
): Promise<ProviderServer> {
  const bodies: Record<string, unknown>[] = []
  const headers: IncomingMessage['headers'][] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await text(request)) as Record<string, unknown>
    bodies.push(body)
    headers.push(request.headers)
    response.setHeader('content-type', 'application/json')
    if (interrupt(response, bodies.length - 1)) return
    try {
      if (request.url !== path) throw new Refusal(`no such path: ${request.url}`)
      const { whole, events } = answer(body, request)
      if (body.stream !== true) return void response.end(JSON.stringify(whole))
      response.setHeader('content-type', 'text/event-stream')
      response.end(
        events
          .map((event) => `event: ${(event as { type: string }).type}\ndata: ${JSON.stringify(event)}\n\n`)
          .join(''),
      )
    } catch (error) {
      response.statusCode = 400
      response.end(JSON.stringify(refuse(error instanceof Error ? error.message : String(error))))
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, headers }
}

/**
 * A server of OpenAI's Responses API with one good player, which reasons before each answer. It keeps no conversation:
 * it refuses a prompt that lacks the encrypted reasoning of an earlier call, or holds a changed one.
 */
export async function responsesServer(interrupt: Interrupt = () => false): Promise<ProviderServer> {
  const issued = new Map<string, ResponseReasoningItem>()
  const answer = (given: Record<string, unknown>) => {
    const body = given as unknown as ResponseCreateParams
    if (body.store !== false) throw new Refusal('store must be false')
    if (!body.include?.includes('reasoning.encrypted_content')) throw new Refusal('reasoning is not included')
    const tools = body.tools?.map((tool) => {
      if (tool.type !== 'function' || tool.strict !== false) throw new Refusal('a tool is strict')
      return {
        type: 'function',
        function: { name: tool.name, description: tool.description, parameters: tool.parameters },
      }
    })
    const turns = turnsOfItems(body.input as ResponseInputItem[], issued)
    const { message, usage } = askPlayer(String(body.model), turns, tools)
    const place = issued.size
    const reasoning: ResponseReasoningItem = {
      type: 'reasoning',
      id: `rs_${place}`,
      summary: [{ type: 'summary_text', text: thought }],
      encrypted_content: `sealed-${place}`,
    }
    issued.set(reasoning.id, reasoning)
    const output: ResponseOutputItem[] = [reasoning]
    if (message.content) {
      output.push({
        type: 'message',
        id: `msg_${place}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: message.content, annotations: [] }],
      })
    }
    for (const { function: call } of message.tool_calls ?? []) {
      output.push({
        type: 'function_call',
        id: `fc_${place}`,
        call_id: `call_${place}`,
        ...call,
        status: 'completed',
      })
    }
    const whole = {
      id: `resp_${place}`,
      object: 'response',
      created_at: 0,
      status: 'completed',
      error: null,
      incomplete_details: null,
      instructions: null,
      metadata: {},
      model: String(body.model),
      output,
      parallel_tool_calls: true,
      temperature: 1,
      tool_choice: 'auto',
      tools: body.tools ?? [],
      top_p: 1,
      usage: {
        input_tokens: usage.prompt_tokens,
        input_tokens_details: { cached_tokens: Math.floor(usage.prompt_tokens / 2), cache_write_tokens: 0 },
        output_tokens: usage.completion_tokens + 10,
        output_tokens_details: { reasoning_tokens: 10 },
        total_tokens: usage.prompt_tokens + usage.completion_tokens + 10,
      },
    } satisfies Omit<ResponsesBody, 'output_text' | 'access_programs'>
    return {
      whole,
      events: [
        { type: 'response.created', response: { ...whole, output: [] } },
        { type: 'response.completed', response: whole },
      ],
    }
  }
  const refuse = (message: string) => ({
    error: { message, type: 'invalid_request_error', param: null, code: null },
  })
  const server = await serve('/v1/responses', answer, refuse, interrupt)
  return { ...server, baseUrl: `${server.baseUrl}/v1` }
}

function turnsOfItems(items: ResponseInputItem[], issued: Map<string, ResponseReasoningItem>): ChatTurn[] {
  const turns: ChatTurn[] = []
  let thinks = false
  for (const item of items) {
    if (item.type === 'reasoning') {
      if (!isDeepStrictEqual(item, issued.get(item.id))) throw new Refusal('the reasoning was changed')
      thinks = true
    } else if (item.type === 'function_call') {
      if (!thinks) throw new Refusal('a function call without its reasoning')
      const { call_id: id, name, arguments: given } = item as ResponseFunctionToolCall
      const call: ChatCall = { id, type: 'function', function: { name, arguments: given } }
      const before = turns.at(-1)
      if (before?.role === 'assistant' && !before.tool_calls) before.tool_calls = [call]
      else turns.push({ role: 'assistant', content: null, tool_calls: [call] })
      thinks = false
    } else if (item.type === 'function_call_output') {
      turns.push({ role: 'tool', tool_call_id: item.call_id ?? '', content: String(item.output) })
    } else if ('role' in item && 'content' in item) {
      const { content, role } = item
      const said =
        typeof content === 'string'
          ? content
          : content.map((part) => ('text' in part ? part.text : '')).join('')
      turns.push({ role, content: said })
    }
  }
  return turns
}

/**
 * A server of Anthropic's Messages API with the same player, which thinks before each answer. It refuses a tool call
 * without its signed thoughts, changed thoughts, empty texts, roles that do not alternate, and a missing version.
 */
export async function messagesServer(interrupt: Interrupt = () => false): Promise<ProviderServer> {
  const signed = new Map<string, ContentBlock>()
  const answer = (given: Record<string, unknown>, { headers }: IncomingMessage) => {
    const body = given as unknown as MessageCreateParams
    if (headers['anthropic-version'] !== '2026-10-21') throw new Refusal('anthropic-version is missing')
    if ('temperature' in body || 'top_p' in body)
      throw new Refusal('temperature: Extra inputs are not permitted')
    const tools = body.tools?.map((tool) => {
      if (!('input_schema' in tool)) throw new Refusal('a tool without input_schema')
      return {
        type: 'function',
        function: { name: tool.name, description: tool.description, parameters: tool.input_schema },
      }
    })
    const { message, usage } = askPlayer(String(body.model), turnsOfMessages(body, signed), tools)
    const place = signed.size
    const thinking: ContentBlock = { type: 'thinking', thinking: thought, signature: `signed-${place}` }
    signed.set(thinking.signature, thinking)
    const content: ContentBlock[] = [thinking]
    if (message.content) content.push({ type: 'text', text: message.content, citations: null })
    for (const [at, { function: call }] of (message.tool_calls ?? []).entries()) {
      content.push({
        type: 'tool_use',
        id: `toolu_${place}_${at}`,
        name: call.name,
        input: JSON.parse(call.arguments),
      } as ToolUseBlock)
    }
    const half = Math.floor(usage.prompt_tokens / 4)
    const counts = {
      cache_creation: { ephemeral_5m_input_tokens: half, ephemeral_1h_input_tokens: 0 },
      cache_creation_input_tokens: half,
      cache_read_input_tokens: half,
      input_tokens: usage.prompt_tokens - 2 * half,
      output_tokens: usage.completion_tokens + 10,
      output_tokens_details: { thinking_tokens: 10 },
      inference_geo: null,
      server_tool_use: null,
      service_tier: 'standard' as const,
      speed: null,
    }
    const whole: Message = {
      id: `msg_${place}`,
      type: 'message',
      role: 'assistant',
      model: String(body.model),
      container: null,
      diagnostics: null,
      content,
      stop_reason: message.tool_calls ? 'tool_use' : 'end_turn',
      stop_details: null,
      stop_sequence: null,
      usage: counts,
    }
    return { whole, events: messageEvents(whole) }
  }
  const refuse = (message: string) => ({ type: 'error', error: { type: 'invalid_request_error', message } })
  return serve('/v1/messages', answer, refuse, interrupt)
}

function turnsOfMessages(
  { system, messages }: MessageCreateParams,
  signed: Map<string, ContentBlock>,
): ChatTurn[] {
  const texts = typeof system === 'string' ? [system] : (system ?? []).map(({ text: said }) => said)
  const turns: ChatTurn[] = texts.map((content) => ({ role: 'system', content }))
  for (const [at, { role, content }] of messages.entries()) {
    if (role === messages[at - 1]?.role) throw new Refusal('roles must alternate')
    const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    if (blocks.length === 0) throw new Refusal('content is empty')
    let thinks = false
    for (const block of blocks) {
      const before = turns.at(-1)
      if (block.type === 'thinking') {
        if (!isDeepStrictEqual(block, signed.get(block.signature)))
          throw new Refusal('thinking blocks cannot be modified')
        thinks = true
      } else if (block.type === 'text') {
        if (block.text.trim() === '') throw new Refusal('text content blocks must be non-empty')
        turns.push({ role, content: block.text })
      } else if (block.type === 'tool_use') {
        if (!thinks) throw new Refusal('Expected `thinking` before `tool_use`')
        const call: ChatCall = {
          id: block.id,
          type: 'function',
          function: { name: block.name, arguments: JSON.stringify(block.input) },
        }
        if (before?.role === 'assistant' && !before.tool_calls) before.tool_calls = [call]
        else turns.push({ role: 'assistant', content: null, tool_calls: [call] })
      } else if (block.type === 'tool_result') {
        const said = Array.isArray(block.content)
          ? block.content.map((part) => (part.type === 'text' ? part.text : '')).join('')
          : (block.content ?? '')
        turns.push({ role: 'tool', tool_call_id: block.tool_use_id, content: said })
      }
    }
  }
  return turns
}

function messageEvents(whole: Message): RawMessageStreamEvent[] {
  const { content, stop_reason, usage } = whole
  const blocks = content.flatMap((block, index): RawMessageStreamEvent[] => {
    const [start, ...deltas] = piecesOf(block)
    return [
      { type: 'content_block_start', index, content_block: start as ContentBlock },
      ...(deltas as object[]).map(
        (delta) => ({ type: 'content_block_delta', index, delta }) as RawMessageStreamEvent,
      ),
      { type: 'content_block_stop', index },
    ]
  })
  return [
    {
      type: 'message_start',
      message: { ...whole, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
    },
    ...blocks,
    {
      type: 'message_delta',
      delta: { container: null, stop_details: null, stop_reason, stop_sequence: null },
      usage: {
        cache_creation_input_tokens: null,
        cache_read_input_tokens: null,
        input_tokens: null,
        output_tokens: usage.output_tokens,
        output_tokens_details: usage.output_tokens_details,
        server_tool_use: null,
      },
    },
    { type: 'message_stop' },
  ]
}

function piecesOf(block: ContentBlock): object[] {
  const halves = (said: string) => [said.slice(0, 3), said.slice(3)]
  if (block.type === 'thinking') {
    return [
      { ...block, thinking: '', signature: '' },
      ...halves(block.thinking).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ]
  }
  if (block.type === 'text') {
    return [{ ...block, text: '' }, ...halves(block.text).map((said) => ({ type: 'text_delta', text: said }))]
  }
  const { input } = block as ToolUseBlock
  return [
    { ...block, input: {} },
    ...halves(JSON.stringify(input)).map((partial_json) => ({ type: 'input_json_delta', partial_json })),
  ]
}
