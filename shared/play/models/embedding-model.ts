import type { CallOptions, ChatAnswer } from './chat-model.ts'

export interface EmbeddingRequest {
  model: string
  /** One or more; most endpoints refuse empty ones. */
  texts: readonly string[]
}

export interface EmbeddingAnswer extends Pick<ChatAnswer, 'cost' | 'input_tokens' | 'model_calls'> {
  /** One for each text, in their order, all of one length; not necessarily of unit length. */
  vectors: number[][]
}

export interface EmbeddingModel {
  embed(request: EmbeddingRequest, options: CallOptions): Promise<EmbeddingAnswer>
}
