import type { Message } from '../../contracts/message.ts'

/** A turn as ShareGPT, FastChat and AgentGym write it. */
export function sharegptTurn({ role, content }: Message): { from: 'human' | 'gpt'; value: string } {
  return { from: role === 'assistant' ? 'gpt' : 'human', value: content }
}
