import type { ChatModel, ChatRequest } from '../../shared/models/chat-model.ts'
import { seededRandom } from '../../shared/random/seeded-random.ts'

/** A model whose answer is a hash of the prompt and the sample's seed, after a time that is one too. */
export function createHashModel(
  options: { actions?: number; delay?: number; onCall?: (request: ChatRequest) => void } = {},
): ChatModel {
  const { actions = 4, delay = 2, onCall } = options
  return {
    async complete(request, { meter }) {
      const prompt = request.messages.map(({ content }) => content).join('\n')
      const random = seededRandom('model', prompt, request.seed)
      const reservation = await meter.reserve({ tokens: 100, cost: 0.001 })
      onCall?.(request)
      await new Promise((resolve) => setTimeout(resolve, random() * delay))
      const content = `Thought: t${Math.floor(random() * 2)}\nAction: a${Math.floor(random() * actions)}`
      const spent = { input_tokens: 10, output_tokens: 5, cost: 0.0005 }
      await reservation.settle(spent)
      return { content, finish_reason: 'stop', ...spent }
    },
  }
}
