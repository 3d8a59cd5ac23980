import type {
  FunctionTool,
  ResponseCreateParamsBase,
  ResponseInputItem,
} from 'openai/resources/responses/responses'
import type { ResponsesEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { addOptions } from '../../../core/contracts/request-options.ts'
import type { PictureSource } from '../../../core/pictures/picture-source.ts'
import { sentSampling } from '../answer-defaults.ts'
import { refusesField, samplingAdvice } from '../call-advice.ts'
import type { CallFailure } from '../call-failure.ts'
import type { OfferedTool } from '../chat-model.ts'
import type { ChatCodec, DecodingFault } from '../codec.ts'
import { brokenStream, type StreamEvents } from '../streams/read-stream-events.ts'
import { readResponse } from './read-response.ts'
import { responseItems } from './response-items.ts'
import { picturesFor, toWireTurns } from './wire-messages.ts'

/**
 * OpenAI's Responses API without conversations at the provider: each request has the whole prompt, and the reasoning of
 * earlier answers goes back as encrypted items. The API gives one choice, and knows neither stop texts nor seeds.
 */
export function openAiResponsesOf(endpoint: ResponsesEndpoint, pictures: PictureSource | null): ChatCodec {
  const wirePictures = picturesFor(endpoint, pictures)
  /** Models that do not reason refuse to encrypt. */
  const plain = new Set<string>()
  const role = endpoint.system === 'developer' ? 'developer' : 'system'
  return {
    async encode({ model, max_tokens, reasoning_effort, tools, request, ...asked }) {
      const effort = reasoning_effort === undefined ? {} : { reasoning_effort }
      const fields = sentSampling(endpoint, { id: model, ...effort })
      const input: ResponseInputItem[] = await responseItems(
        toWireTurns(asked.messages, endpoint),
        wirePictures,
        role,
      )
      const body: ResponseCreateParamsBase = {
        model,
        input,
        ...(fields.includes('temperature') && { temperature: asked.temperature }),
        ...(fields.includes('top_p') && { top_p: asked.top_p }),
        ...(tools && { tools: tools.map(wireTool), ...sentWithTools(endpoint) }),
        max_output_tokens: max_tokens,
        // Endpoints have values of their own beside OpenAI's.
        ...(reasoning_effort !== undefined && { reasoning: { effort: reasoning_effort as 'low' } }),
        store: false,
        ...(!plain.has(model) && { include: ['reasoning.encrypted_content'] }),
        ...(endpoint.stream && { stream: true }),
      }
      const options = addOptions(request ?? {}, endpoint.request)
      return {
        path: '/responses',
        model,
        ...(endpoint.stream && { streams: true as const }),
        body: addOptions(body, options),
      }
    },
    ...(endpoint.stream && { assemble: assembleResponse }),
    decode(body, { tools }) {
      const read = readResponse(body, tools !== undefined)
      return 'wrong' in read ? { transient: true, ...read } : read
    },
    adapts(failure, { model }) {
      if (plain.has(model) || !refusesEncryption(failure)) return false
      plain.add(model)
      return true
    },
    advise: (failure, { n }) => samplingAdvice(failure, n),
  }
}

function refusesEncryption(failure: CallFailure): boolean {
  return (
    failure.code !== 'invalid_encrypted_content' &&
    refusesField(
      failure,
      /encrypted[ _]content.*(not supported|unsupported)|(not supported|unsupported|unknown|unrecognized).*(encrypted[ _]content|include)/is,
    )
  )
}

/** The API demands that schemas are strict unless a tool says otherwise. */
function wireTool({ name, description, schema }: OfferedTool): FunctionTool {
  return { type: 'function', name, description, parameters: schema, strict: false }
}

function sentWithTools({ tool_choice, parallel_tool_calls }: ResponsesEndpoint) {
  return {
    ...(tool_choice && { tool_choice }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
  }
}

const endings = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** The last event of a stream holds the whole response. Its items may be in events of their own alone. */
export function assembleResponse({ events }: StreamEvents): { body: unknown } | DecodingFault {
  const items: unknown[] = []
  for (const { data } of events) {
    const event = data as {
      type?: unknown
      item?: unknown
      response?: { output?: unknown[] }
      message?: unknown
    }
    if (event?.type === 'error')
      return { body: { error: { message: event.message ?? 'an error in the stream' } } }
    if (event?.type === 'response.output_item.done') items.push(event.item)
    if (typeof event?.type !== 'string' || !endings.has(event.type)) continue
    const { response } = event
    return { body: response?.output?.length ? response : { ...response, output: items } }
  }
  return brokenStream
}
