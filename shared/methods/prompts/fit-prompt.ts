import type { Message } from '../../contracts/message.ts'
import { estimatePromptTokens } from '../../models/estimate-tokens.ts'

/**
 * Shortens a prompt to `maxTokens` (estimated): the oldest pairs of action and observation go first; the head, with the
 * system text, the instruction and the first observation, always stays, and so does the newest pair: an agent has to see what
 * came of its last action.
 *
 * @param turns - assistant and user messages in turn
 * @returns the messages, and how many pairs were cut
 */
export function fitPrompt(
  head: readonly Message[],
  turns: readonly Message[],
  maxTokens: number,
): { messages: Message[]; cutPairs: number } {
  let cutPairs = 0
  const openingTokens = estimatePromptTokens([])
  let tokens = estimatePromptTokens(head) + estimatePromptTokens(turns) - openingTokens
  while (tokens > maxTokens && cutPairs * 2 < turns.length - 2) {
    tokens -= estimatePromptTokens(turns.slice(cutPairs * 2, cutPairs * 2 + 2)) - openingTokens
    cutPairs += 1
  }
  return { messages: [...head, ...turns.slice(cutPairs * 2)], cutPairs }
}
