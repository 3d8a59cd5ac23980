import type { Message } from '../../contracts/message.ts'

/**
 * A row of OpenAI's chat fine-tuning format, as TRL, axolotl and others read it too: one JSON object on one line, with
 * `messages` of `role` and `content` and nothing else, since the upload is refused for unknown keys.
 */
export function openaiChatLine(row: { messages: Message[] }): string {
  return JSON.stringify({ messages: row.messages.map(({ role, content }) => ({ role, content })) })
}
