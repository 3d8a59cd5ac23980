import type { Message } from '../contracts/message.ts'
import type { CallOptions } from './chat-model.ts'

export interface ScoreRequest {
  /** The model, as its endpoint calls it. */
  model: string
  messages: readonly Message[]
}

export interface ScoreAnswer {
  /** The model's number as it is: its scale is a matter of how it was trained. */
  value: number
  model_calls: number
  input_tokens: number
  /** US dollars; null where the endpoint states no price for the model. */
  cost: number | null
}

/** Any model that was trained to rate a conversation by a number. Errors are final: retrying is the model's own business. */
export interface ValueModel {
  score(request: ScoreRequest, options: CallOptions): Promise<ScoreAnswer>
}
