import type { ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import type { ChatModel } from '../../shared/play/models/chat-model.ts'

/** One chat model behind every endpoint, and nothing else. */
export function onlyModel(model: ChatModel): ModelsByEndpoint {
  const none = () => {
    throw new Error('This test has chat models only.')
  }
  return { model: () => model, embedding: none, scorer: none }
}
