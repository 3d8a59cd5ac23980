import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import type { ModelsByEndpoint } from '../../shared/play/methods/model-calls.ts'
import type { ChatModel } from '../../shared/play/models/chat-model.ts'
import { createHashModel } from './hash-model.ts'

/** Models of every kind whose answers are a hash of what they are asked. */
export function createHashModels(chat: ChatModel = createHashModel({ delay: 0 })): ModelsByEndpoint {
  const used = { model_calls: 1, input_tokens: 10, cost: 0.0001 }
  return {
    model: () => chat,
    embedding: () => ({
      async embed({ texts }) {
        const vectors = texts.map((text) => {
          const random = seededRandom('embedding', text)
          return Array.from({ length: 4 }, () => random())
        })
        return { vectors, ...used }
      },
    }),
    scorer: () => ({
      async score({ messages }) {
        const random = seededRandom('score', messages.map(({ content }) => content).join('\n'))
        return { value: Math.round(random() * 10) / 5 - 1, ...used }
      },
    }),
  }
}
