import type { Message } from '../../contracts/message.ts'

/** Turns with `role` and `content` and nothing else. */
export function plainMessages(messages: readonly Message[]): Message[] {
  return messages.map(({ role, content }) => ({ role, content }))
}
