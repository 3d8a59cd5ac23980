import type { CallOptions } from './chat-model.ts'

export interface EmbeddingRequest {
  model: string
  /** One or more; most endpoints refuse empty ones. */
  texts: readonly string[]
}

export interface EmbeddingAnswer {
  /** One for each text, in their order, all of one length; not necessarily of unit length. */
  vectors: number[][]
  model_calls: number
  input_tokens: number
  /** US dollars; null if the endpoint states no price for the model. */
  cost: number | null
}

export interface EmbeddingModel {
  embed(request: EmbeddingRequest, options: CallOptions): Promise<EmbeddingAnswer>
}
