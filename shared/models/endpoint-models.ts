import type { ChatModel } from './chat-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { ValueModel } from './value-model.ts'

/**
 * The kinds of models of one endpoint, which share its limits and its rate. Only a call shows which of them it
 * serves.
 */
export interface EndpointModels {
  chat: ChatModel
  embedding: EmbeddingModel
  scorer: ValueModel
}
