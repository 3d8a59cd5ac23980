import type { Message } from '../../core/contracts/message.ts'
import type { CallOptions, ChatAnswer } from './chat-model.ts'

export interface ScoreRequest {
  model: string
  messages: readonly Message[]
}

export interface ScoreAnswer extends Pick<ChatAnswer, 'cost' | 'input_tokens' | 'model_calls'> {
  /** The model's raw number: its scale depends on its training. */
  value: number
}

export interface ValueModel {
  score(request: ScoreRequest, options: CallOptions): Promise<ScoreAnswer>
}
