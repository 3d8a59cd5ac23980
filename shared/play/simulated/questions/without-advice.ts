import type { Message } from '../../../core/contracts/message.ts'

const advice = /\s*\[START OF ADVICE\][\s\S]*?\[END OF ADVICE\]/g

/** Removes advice learned in other tasks, because its texts would be mistaken for this task's. */
export function withoutAdvice(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ content }) => content.includes('[START OF ADVICE]'))) return messages
  return messages.map(({ role, content }) =>
    role === 'assistant' ? { role, content } : { role, content: content.replace(advice, '') },
  )
}
