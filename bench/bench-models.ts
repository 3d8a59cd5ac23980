import type { ModelsByEndpoint } from '../shared/play/methods/model-calls.ts'
import type { ChatModel } from '../shared/play/models/chat-model.ts'

export function benchModels(model: ChatModel): { models: ModelsByEndpoint } {
  const none = () => {
    throw new Error('The benchmarks ask chat models only.')
  }
  return { models: { model: () => model, embedding: none, scorer: none } }
}
