import type { Message } from '../../contracts/message.ts'

const advice = /\s*\[START OF ADVICE\][\s\S]*?\[END OF ADVICE\]/g

/** The same messages without what was learned in other tasks: texts of those would be taken for this one's. */
export function withoutAdvice(messages: readonly Message[]): readonly Message[] {
  if (!messages.some(({ content }) => content.includes('[START OF ADVICE]'))) return messages
  return messages.map(({ role, content }) =>
    role === 'assistant' ? { role, content } : { role, content: content.replace(advice, '') },
  )
}
