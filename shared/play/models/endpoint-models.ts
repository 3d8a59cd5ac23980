import type { ChatModel } from './chat-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { ValueModel } from './value-model.ts'

export interface EndpointModels {
  chat: ChatModel
  embedding: EmbeddingModel
  scorer: ValueModel
}
