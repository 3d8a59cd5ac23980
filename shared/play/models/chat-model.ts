import type { JsonObject } from '../../core/contracts/json.ts'
import type { MessageCall, PromptMessage, Thinking } from '../../core/contracts/message.ts'
import type { Meter } from '../../core/contracts/meter.ts'
import type { ChoiceTokens } from './tokens/read-tokens.ts'

export interface CallOptions {
  meter: Meter
  signal?: AbortSignal
  maxRetries?: number
  /** Calls of one affinity share the beginnings of their prompts, so they go to one server of a pool. */
  affinity?: string
}

export type OfferedTool = {
  name: string
  description: string
  schema: JsonObject
}

export interface ChatRequest {
  model: string
  messages: readonly PromptMessage[]
  /** The tokens of the messages by the model's own tokenizer; if omitted, they are estimated. */
  prompt_tokens?: number
  temperature: number
  top_p: number
  max_tokens: number
  /** The reasoning effort, in the endpoint's own words; if omitted, the endpoint decides. */
  reasoning_effort?: string
  request?: JsonObject
  /** Distinguishes samples of one prompt, and repeats them if the endpoint honours it. 0 ≤ seed < 2³¹. */
  seed: number
  /** Number of choices, 1 to 128. @default 1 */
  n?: number
  /** Each choice ends before the first of these texts, even if the endpoint ignores them. */
  stop?: readonly string[]
  /** If omitted, an answer without text that calls a tool is empty. */
  tools?: readonly OfferedTool[]
  record?: boolean
  /** Sent in place of the messages, which then only estimate. */
  prompt_ids?: readonly number[]
}

export type ChatChoice = {
  /** Well-formed, without NUL, at most 100,000 characters; empty if the model said nothing. */
  content: string
  finish_reason: string
  refused?: true
  tool_calls?: MessageCall[]
  thinking?: Thinking
  /** Present if the request records tokens and the endpoint gives any. */
  tokens?: ChoiceTokens
}

export interface SilentChoices {
  reasoned: number
  called: number
}

export interface ChatAnswer {
  choices: ChatChoice[]
  silent?: SilentChoices
  /** Answered HTTP requests: several if the endpoint returns fewer choices per request. */
  model_calls: number
  input_tokens: number
  cached_tokens?: number
  output_tokens: number
  reasoning_tokens?: number
  /** US dollars; null if the endpoint states no price for the model. */
  cost: number | null
}

export interface ChatModel {
  complete(request: ChatRequest, options: CallOptions): Promise<ChatAnswer>
}
