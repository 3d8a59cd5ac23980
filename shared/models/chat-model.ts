import type { Message } from '../contracts/message.ts'
import type { Meter } from '../contracts/meter.ts'

/** What every call to a model is given beside its request. */
export interface CallOptions {
  meter: Meter
  signal?: AbortSignal
  /** How often the call is tried again, in place of what its endpoint says. */
  maxRetries?: number
}

/** One call to a model. The same request with the same seed is the same sample. */
export interface ChatRequest {
  /** The model, as its endpoint calls it. */
  model: string
  messages: readonly Message[]
  /** The tokens of the messages, where the model's own tokenizer counted them; left out, they are estimated. */
  prompt_tokens?: number
  temperature: number
  top_p: number
  /** The longest answer asked for, in tokens; each choice may be as long. */
  max_tokens: number
  /** How long the model may think, in its endpoint's word; left out, the endpoint decides. */
  reasoning_effort?: string
  /** Distinguishes samples of one prompt, and makes them repeatable where the endpoint honours it. 0 ≤ seed < 2³¹. */
  seed: number
  /** How many choices are wanted, 1 to 128. @default 1 */
  n?: number
  /** Each choice ends before the first of these texts, also where the endpoint does not heed them. */
  stop?: readonly string[]
}

export interface ChatChoice {
  /** Well-formed, without NUL, of at most 100,000 characters; empty where the model said nothing. */
  content: string
  /** Why the answer ended, in the endpoint's words: `stop`, `length`, `content_filter` and the like. */
  finish_reason: string
  /** The content is the text of a refusal, which the endpoint gave apart from content. */
  refused?: true
}

/** Choices without text, by the place of their tokens. */
export interface SilentChoices {
  /** All of it is reasoning, kept apart from content. */
  reasoned: number
  /** Tool calls stand in place of text. */
  called: number
}

export interface ChatAnswer {
  /** Exactly as many as were wanted. */
  choices: ChatChoice[]
  /** Why choices are empty although they ended by themselves; left out if none is. */
  silent?: SilentChoices
  /** HTTP requests that were answered: several where the endpoint gives fewer choices at once. */
  model_calls: number
  input_tokens: number
  /** Of the input tokens, those that the endpoint had in its cache; left out where there were none. */
  cached_tokens?: number
  output_tokens: number
  /** Of the output tokens, those spent on reasoning that the choices do not show; left out where there were none. */
  reasoning_tokens?: number
  /** US dollars; null where the endpoint states no price for the model. */
  cost: number | null
}

/** Any model that answers chats. Errors are final: retrying is the model's own business. */
export interface ChatModel {
  complete(request: ChatRequest, options: CallOptions): Promise<ChatAnswer>
}
