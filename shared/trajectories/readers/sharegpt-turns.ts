import { z } from 'zod'
import { roleOf, type Turn } from '../turn.ts'

const turnSchema = z.object({ from: z.string(), value: z.string(), loss: z.boolean().nullish() })

/**
 * The turns of ShareGPT's form, as FastChat, ETO, LLaMA-Factory and AgentTraj-L have them. Other tools write chat messages in
 * the same place, `{role, content}`.
 */
export const sharegptTurnsSchema = z.array(z.preprocess(asSharegpt, turnSchema)).min(1)

function asSharegpt(turn: unknown): unknown {
  if (typeof turn !== 'object' || turn === null || 'from' in turn || !('role' in turn)) return turn
  const { role, ...rest } = turn
  return { ...rest, from: role, ...('content' in turn && { value: turn.content }) }
}

export function sharegptTurns(conversations: z.infer<typeof sharegptTurnsSchema>): Turn[] {
  return conversations.map(({ from, value, loss = null }, index) => {
    const at = `conversations[${index}]`
    return { at, role: roleOf(from, `${at}.from`), content: value, learned: loss }
  })
}
