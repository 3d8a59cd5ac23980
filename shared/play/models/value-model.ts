import type { Message } from '../../core/contracts/message.ts'
import type { CallOptions } from './chat-model.ts'

export interface ScoreRequest {
  model: string
  messages: readonly Message[]
}

export interface ScoreAnswer {
  /** The model's raw number: its scale depends on its training. */
  value: number
  model_calls: number
  input_tokens: number
  /** US dollars; null if the endpoint states no price for the model. */
  cost: number | null
}

export interface ValueModel {
  score(request: ScoreRequest, options: CallOptions): Promise<ScoreAnswer>
}
