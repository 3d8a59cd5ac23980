import { z } from 'zod'
import { writeAnswer } from '../../play/answers/write-calls.ts'

export const callSchema = z.object({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z
    .array(z.object({ function: z.object({ name: z.string(), arguments: z.union([z.string(), z.json()]) }) }))
    .nullish(),
})

/** The whole of a turn as one text: its thoughts in `<think>`, its words, and its calls as trees write them. */
export function contentWithCalls({
  content,
  reasoning_content,
  tool_calls,
}: Omit<z.infer<typeof callSchema>, 'role'>): string {
  const calls = (tool_calls ?? []).map(({ function: { name, arguments: given } }) => ({
    id: '',
    type: 'function' as const,
    function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
  }))
  const thoughts = reasoning_content ? `<think>\n${reasoning_content}\n</think>\n` : ''
  return `${thoughts}${writeAnswer(content ?? '', calls)}`
}
