import type { WeightedMessage } from '../../contracts/dataset-row.ts'
import type { Message } from '../../contracts/message.ts'

/** Turns that are shown and not learned: those before the first answer that was played, such as a worked example. */
export function asContext(messages: readonly Message[]): WeightedMessage[] {
  return messages.map((message) => (message.role === 'assistant' ? { ...message, weight: 0 } : message))
}
