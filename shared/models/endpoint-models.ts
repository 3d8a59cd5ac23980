import type { ChatModel } from './chat-model.ts'
import type { EmbeddingModel } from './embedding-model.ts'
import type { ValueModel } from './value-model.ts'

/** The ways to ask one endpoint, which share its limits and its rate. Which of them it serves shows when it is asked. */
export interface EndpointModels {
  chat: ChatModel
  embedding: EmbeddingModel
  scorer: ValueModel
}
