import { z } from 'zod'
import { roleOf, type Turn } from '../turn.ts'

/** The turns of ShareGPT's form, as FastChat, ETO, LLaMA-Factory and AgentTraj-L have them. */
export const sharegptTurnsSchema = z
  .array(z.object({ from: z.string(), value: z.string(), loss: z.boolean().nullish() }))
  .min(1)

export function sharegptTurns(conversations: z.infer<typeof sharegptTurnsSchema>): Turn[] {
  return conversations.map(({ from, value, loss = null }, index) => {
    const at = `conversations[${index}]`
    return { at, role: roleOf(from, `${at}.from`), content: value, learned: loss }
  })
}
