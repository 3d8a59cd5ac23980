import { z } from 'zod'
import type { Message } from '../../core/contracts/message.ts'
import type { ShownTurn } from '../../core/contracts/shown-row.ts'
import type { rawTurnsSchema } from './chat-messages.ts'
import type { Turn } from './read-trajectory.ts'
import { readTurns } from './read-turns.ts'

export const sharegptTurnSchema = z.object({
  from: z.enum(['human', 'gpt', 'function_call', 'observation']),
  value: z.string(),
})

export type SharegptTurn = z.infer<typeof sharegptTurnSchema>

export function sharegptTurn({ role, content }: Message): SharegptTurn {
  return { from: role === 'assistant' ? 'gpt' : 'human', value: content }
}

const roles = { human: 'user', gpt: 'assistant', function_call: 'assistant', observation: 'tool' } as const

export function fromSharegpt({ from, value }: SharegptTurn): Pick<ShownTurn, 'role' | 'content'> {
  return { role: roles[from], content: value }
}

/**
 * Reads the turns of other tools' files, as FastChat, ETO, LLaMA-Factory and AgentTraj-L have them. Some tools write
 * chat messages in the same field.
 */
export function sharegptTurns(conversations: z.infer<typeof rawTurnsSchema>): Turn[] {
  return readTurns(conversations, 'conversations', { role: 'from', content: 'value' })
}
