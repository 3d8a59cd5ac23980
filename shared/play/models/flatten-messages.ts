import type { Message, PromptMessage } from '../../core/contracts/message.ts'
import { writeAnswer } from '../answers/write-calls.ts'

/**
 * A conversation as one text, for models that rate texts. Each message is a line with its role in brackets, then its
 * content; an empty line separates messages.
 *
 * @example
 * flattenMessages([{ role: 'user', content: 'Hello' }]) // '[user]\nHello'
 */
export function flattenMessages(messages: readonly Message[]): string {
  return messages.map(({ role, content }) => `[${role}]\n${content}`).join('\n\n')
}

export function turnsAsText(messages: readonly PromptMessage[]): Message[] {
  return messages.map(({ role, content, pictures, tool_calls }) => ({
    role: role === 'tool' ? 'user' : role,
    content: writeAnswer(content, tool_calls),
    ...(pictures && { pictures }),
  }))
}

export function parseFlatMessages(text: string): Message[] {
  const [before = '', ...rest] = text.split(/(?:^|\n\n)\[(system|user|assistant)\]\n/)
  const messages: Message[] = before === '' ? [] : [{ role: 'user', content: before }]
  for (let position = 0; position < rest.length; position += 2) {
    messages.push({ role: rest[position] as Message['role'], content: rest[position + 1] ?? '' })
  }
  return messages
}
