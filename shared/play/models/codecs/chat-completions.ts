import type {
  ChatCompletionCreateParamsNonStreaming,
  ChatCompletionTool,
} from 'openai/resources/chat/completions'
import type { HttpEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import type { ModelChoice } from '../../../core/contracts/model-choice.ts'
import { addOptions } from '../../../core/contracts/request-options.ts'
import type { TokenSource } from '../../../core/contracts/token-record.ts'
import type { PictureSource } from '../../../core/pictures/picture-source.ts'
import { type SamplingField, sentSampling } from '../answer-defaults.ts'
import { refusesField, refusesPair, samplingAdvice } from '../call-advice.ts'
import type { OfferedTool } from '../chat-model.ts'
import type { ChatCodec, ChatWireRequest } from '../codec.ts'
import { familyOf } from '../model-family.ts'
import { assembleCompletion } from '../streams/assemble-completion.ts'
import { readChoiceTokens } from '../tokens/read-tokens.ts'
import { isTokenServer, type TokenServer, tokenSourceOf } from '../tokens/token-source.ts'
import { readCompletion } from './read-completion.ts'
import { renderedPrompt, toChatBody, tokenFields, tokenizeCall, writeTokenCall } from './token-calls.ts'
import {
  picturesFor,
  type TurnSettings,
  toWireTurns,
  type WirePictures,
  wireMessages,
  withoutEmptyAnswers,
} from './wire-messages.ts'

export interface ChatCompletionSettings {
  sendSeed: boolean
  sentSampling: (choice: Pick<ModelChoice, 'id' | 'reasoning_effort'>) => readonly SamplingField[]
  /** True sends stop texts; null sends them only to models that get temperature or top_p. */
  sendStop: boolean | null
  turns: TurnSettings
  maxTokensField: (model: string) => 'max_tokens' | 'max_completion_tokens'
  pictures: WirePictures
  tools?: ToolSettings
  options?: JsonObject | undefined
  stream?: boolean | undefined
  tokens?: TokenSource | null
}

export type ToolSettings = Pick<HttpEndpoint, 'tool_choice' | 'parallel_tool_calls'>

export function chatCompletionsOf(endpoint: HttpEndpoint, pictures: PictureSource | null): ChatCodec {
  return createChatCompletions({
    sendSeed: endpoint.seed,
    sentSampling: (choice) => sentSampling(endpoint, choice),
    sendStop: endpoint.stop ?? null,
    turns: endpoint,
    maxTokensField: (model) => maxTokensField(endpoint, model),
    pictures: picturesFor(endpoint, pictures),
    tools: endpoint,
    options: endpoint.request,
    stream: endpoint.stream,
    tokens: tokenSourceOf(endpoint),
  })
}

export function createChatCompletions(settings: ChatCompletionSettings): ChatCodec {
  const source = settings.tokens ?? null
  /** Models that refused temperature beside top_p. */
  const alone = new Set<string>()
  /** False once the endpoint refused the option that asks for counts in a stream: some count without it. */
  let asksForCounts = true

  function sampled({ model, reasoning_effort, ...values }: ChatWireRequest): readonly SamplingField[] {
    const effort = reasoning_effort === undefined ? {} : { reasoning_effort }
    const fields = settings.sentSampling({ id: model, ...effort })
    if (fields.length < 2 || !alone.has(model)) return fields
    const asked = fields.filter((field) => values[field] !== 1)
    return asked.length === 0 ? ['temperature'] : asked
  }

  return {
    async encode(request) {
      if (takesIds(request, source)) {
        const fields = sampled(request).map((field) => [field, request[field]])
        // The template is rendered already.
        const { chat_template_kwargs: _, ...options } = addOptions(request.request ?? {}, settings.options)
        return writeTokenCall(source, request, Object.fromEntries(fields), options)
      }
      const { model, max_tokens, reasoning_effort, seed, n, stop, tools } = request
      const { sendSeed, sendStop, turns } = settings
      const fields = sampled(request)
      const wired = toWireTurns(request.messages, turns)
      // A recorded prompt shows each answer as it was sampled.
      const shown = request.record ? wired : withoutEmptyAnswers(wired)
      const body: ChatCompletionCreateParamsNonStreaming = {
        model,
        messages: await wireMessages(shown, settings.pictures, turns.system),
        ...(fields.includes('temperature') && { temperature: request.temperature }),
        ...(fields.includes('top_p') && { top_p: request.top_p }),
        ...(tools && { tools: tools.map(wireTool), ...sentWithTools(settings.tools) }),
        [settings.maxTokensField(model)]: max_tokens,
        // Endpoints have values of their own beside OpenAI's.
        ...(reasoning_effort !== undefined && { reasoning_effort: reasoning_effort as 'low' }),
        ...(sendSeed && { seed }),
        ...(n !== 1 && { n }),
        // Models that refuse a temperature refuse stop texts too; the client cuts their answers.
        ...(stop !== undefined && (sendStop ?? fields.length > 0) && { stop: [...stop] }),
        ...(request.record && source && tokenFields(source)),
      }
      const options = addOptions(request.request ?? {}, settings.options)
      if (!settings.stream) return { path: '/chat/completions', model, body: addOptions(body, options) }
      const streamed = {
        ...body,
        stream: true,
        ...(asksForCounts && { stream_options: { include_usage: true } }),
      }
      return { path: '/chat/completions', model, streams: true, body: addOptions(streamed, options) }
    },
    ...(settings.stream && { assemble: assembleCompletion }),
    decode(given, request) {
      const { record, tools } = request
      const body = takesIds(request, source) ? toChatBody(source, given, request) : given
      const tokens = record && source ? readChoiceTokens(body, source) : []
      const completion = readCompletion(body, tools !== undefined, tokens)
      if ('wrong' in completion) return { ...completion, transient: true }
      const prompt = tokens.some(({ prompt_ids }) => prompt_ids === null) ? renderedPrompt(body) : null
      return prompt === null ? completion : { ...completion, prompt }
    },
    ...(source === 'llama-cpp' && { tokenize: tokenizeCall }),
    adapts(failure, request) {
      if (settings.stream && asksForCounts && refusesField(failure, /stream_options|include_usage/i)) {
        asksForCounts = false
        return true
      }
      const fields = sampled(request)
      const only = fields.find((field) => request[field] !== 1) ?? 'temperature'
      const isNeutral = fields.every((field) => field === only || request[field] === 1)
      if (fields.length < 2 || !isNeutral || !refusesPair(failure)) return false
      alone.add(request.model)
      return true
    },
    advise: (failure, { n }) => samplingAdvice(failure, n),
  }
}

function takesIds(
  { prompt_ids }: Pick<ChatWireRequest, 'prompt_ids'>,
  source: TokenSource | null,
): source is TokenServer {
  return prompt_ids !== undefined && isTokenServer(source)
}

function wireTool({ name, description, schema }: OfferedTool): ChatCompletionTool {
  return { type: 'function', function: { name, description, parameters: schema } }
}

function sentWithTools({ tool_choice, parallel_tool_calls }: ToolSettings = {}) {
  return {
    ...(tool_choice && { tool_choice }),
    ...(parallel_tool_calls !== undefined && { parallel_tool_calls }),
  }
}

/** The field for the maximum answer: OpenAI's newer models refuse `max_tokens`, others accept only that. */
function maxTokensField(endpoint: HttpEndpoint, model: string): 'max_tokens' | 'max_completion_tokens' {
  if (endpoint.max_tokens_field !== undefined) return endpoint.max_tokens_field
  if (endpoint.kind === 'azure' || familyOf({ id: model }).reasons) return 'max_completion_tokens'
  const address = endpoint.base_url ?? endpoint.base_urls?.[0] ?? ''
  return new URL(address).hostname.endsWith('openai.com') ? 'max_completion_tokens' : 'max_tokens'
}
