import type { Message } from '../contracts/message.ts'
import type { Meter } from '../contracts/meter.ts'

/** One call to a model. The same request with the same seed is the same sample. */
export interface ChatRequest {
  /** The model, as its endpoint calls it. */
  model: string
  messages: readonly Message[]
  temperature: number
  top_p: number
  max_tokens: number
  /** Tells samples of one prompt apart, and makes them repeatable where the endpoint honours it. 0 ≤ seed < 2³¹. */
  seed: number
}

export interface ChatAnswer {
  content: string
  finish_reason: string
  input_tokens: number
  output_tokens: number
  /** US dollars; null where the endpoint states no price for the model. */
  cost: number | null
}

/** Any model that answers chats. Errors are final: retrying is the model's own business. */
export interface ChatModel {
  complete(request: ChatRequest, options: { meter: Meter; signal?: AbortSignal }): Promise<ChatAnswer>
}
