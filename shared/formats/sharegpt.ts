import { z } from 'zod'
import type { Message } from '../contracts/message.ts'
import type { ShownTurn } from '../contracts/shown-row.ts'
import { roleOf, type Turn } from './read-trajectory.ts'

/** A turn as ShareGPT, FastChat and AgentGym write it. */
export const sharegptTurnSchema = z.object({ from: z.enum(['human', 'gpt']), value: z.string() })

type SharegptTurn = z.infer<typeof sharegptTurnSchema>

/** Writes a turn: the model's is `gpt`, any other `human`. */
export function sharegptTurn({ role, content }: Message): SharegptTurn {
  return { from: role === 'assistant' ? 'gpt' : 'human', value: content }
}

/** A turn that {@link sharegptTurn} wrote, as a chat has it. */
export function fromSharegpt({ from, value }: SharegptTurn): Pick<ShownTurn, 'role' | 'content'> {
  return { role: from === 'gpt' ? 'assistant' : 'user', content: value }
}

const looseTurnSchema = z.object({ from: z.string(), value: z.string(), loss: z.boolean().nullish() })

/**
 * The turns of files from elsewhere, as FastChat, ETO, LLaMA-Factory and AgentTraj-L have them. Other tools write chat messages
 * in the same place, `{role, content}`.
 */
export const sharegptTurnsSchema = z.array(z.preprocess(asSharegpt, looseTurnSchema)).min(1)

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
