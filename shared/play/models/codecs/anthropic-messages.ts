import type { MessageCreateParamsBase, Tool, ToolChoice } from '@anthropic-ai/sdk/resources/messages'
import type { AnthropicEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { addOptions } from '../../../core/contracts/request-options.ts'
import type { PictureSource } from '../../../core/pictures/picture-source.ts'
import { sentSampling } from '../answer-defaults.ts'
import { samplingAdvice } from '../call-advice.ts'
import type { OfferedTool } from '../chat-model.ts'
import type { ChatCodec } from '../codec.ts'
import { assembleMessage } from '../streams/assemble-message.ts'
import { messageTurns } from './message-turns.ts'
import { readMessage } from './read-message.ts'
import { picturesFor, toWireTurns } from './wire-messages.ts'

/** The newest version of the API refuses sampling fields. The one before takes them, if the endpoint says so. */
type Body = MessageCreateParamsBase & { temperature?: number; top_p?: number }

/** Anthropic's Messages API: one choice a request, thinking blocks that go back unchanged, and marks for its cache. */
export function anthropicMessagesOf(endpoint: AnthropicEndpoint, pictures: PictureSource | null): ChatCodec {
  const wirePictures = picturesFor(endpoint, pictures)
  return {
    async encode({ model, max_tokens, reasoning_effort, tools, stop = [], request, ...asked }) {
      const fields = sentSampling(endpoint, { id: model })
      const { system, messages } = await messageTurns(
        toWireTurns(asked.messages, endpoint),
        wirePictures,
        endpoint.cache ?? '5m',
      )
      // The API refuses stop texts of blanks alone; answers are cut at them here.
      const stops = endpoint.stop === false ? [] : stop.filter((text) => text.trim() !== '')
      const body: Body = {
        model,
        max_tokens,
        ...(system.length > 0 && { system }),
        messages,
        ...(fields.includes('temperature') && { temperature: asked.temperature }),
        ...(fields.includes('top_p') && { top_p: asked.top_p }),
        ...(tools && { tools: tools.map(wireTool), ...toolChoice(endpoint) }),
        ...(reasoning_effort !== undefined && { output_config: { effort: reasoning_effort as 'low' } }),
        ...(stops.length > 0 && { stop_sequences: stops }),
        ...(endpoint.stream && { stream: true }),
      }
      const options = addOptions(request ?? {}, endpoint.request)
      return {
        path: '/messages',
        model,
        ...(endpoint.stream && { streams: true as const }),
        body: addOptions(body, options),
      }
    },
    ...(endpoint.stream && { assemble: assembleMessage }),
    decode(body, { tools }) {
      const read = readMessage(body, tools !== undefined)
      return 'wrong' in read ? { transient: true, ...read } : read
    },
    advise: (failure, { n }) => samplingAdvice(failure, n),
  }
}

function wireTool({ name, description, schema }: OfferedTool): Tool {
  return { name, description, input_schema: schema as Tool['input_schema'] }
}

function toolChoice({ tool_choice, parallel_tool_calls }: AnthropicEndpoint): { tool_choice?: ToolChoice } {
  if (tool_choice === undefined && parallel_tool_calls === undefined) return {}
  const type = tool_choice === 'required' ? 'any' : 'auto'
  return {
    tool_choice: {
      type,
      ...(parallel_tool_calls !== undefined && { disable_parallel_tool_use: !parallel_tool_calls }),
    },
  }
}
