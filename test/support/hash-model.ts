import type { Random } from '../../shared/core/random/random.ts'
import { seededRandom } from '../../shared/core/random/seeded-random.ts'
import type { ChatModel, ChatRequest } from '../../shared/play/models/chat-model.ts'

/**
 * A model whose answers are a hash of the prompt and the sample's seed, after a time that is one too. Whatever form the prompt
 * asks for, it fills in.
 */
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
      const form = readForm(request.messages.at(-1)?.content ?? '')
      const choices = Array.from({ length: request.n ?? 1 }, () => ({
        content: form.length > 0 ? fillForm(form, random) : toAction(random, actions),
        finish_reason: 'stop',
      }))
      const spent = { input_tokens: 10, output_tokens: 5, cost: 0.0005 }
      await reservation.settle(spent)
      return { choices, model_calls: 1, ...spent }
    },
  }
}

function toAction(random: Random, actions: number): string {
  return `Thought: t${Math.floor(random() * 2)}\nAction: a${Math.floor(random() * actions)}`
}

/** The labels of the form that a message asks for; none where it asks for an action. */
function readForm(content: string): string[] {
  const [, form] = content.split('Answer in this form:\n')
  return form === undefined ? [] : [...form.matchAll(/^([A-Z][a-z ]+):/gm)].map((match) => match[1] as string)
}

function fillForm(labels: readonly string[], random: Random): string {
  const word = () => `w${Math.floor(random() * 100)}`
  return labels
    .map((label) => `${label}: ${label === 'Status code' ? 'ABCDE'[Math.floor(random() * 5)] : word()}`)
    .join('\n')
}
