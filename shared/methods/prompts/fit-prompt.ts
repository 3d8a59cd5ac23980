import type { Message } from '../../contracts/message.ts'
import type { ModelChoice } from '../../contracts/model-choice.ts'
import { estimatePromptTokens } from '../../models/estimate-tokens.ts'

/** Pictures of a prompt where nothing else is said: VisualWebArena's and OSWorld's agents show as many screenshots at most. */
export const usualPictures = 4

/**
 * Shortens a prompt to `max_prompt_tokens` (estimated): all but its newest `max_pictures` pictures are left out, and then the oldest pairs of action and observation go first; the head, with the
 * system text, the instruction and the first observation, always stays, and so does the newest pair: an agent has to see what
 * came of its last action.
 *
 * @param turns - assistant and user messages in turn
 * @returns the messages, how many pairs were cut, and how many pictures were left out of the rest
 */
export function fitPrompt(
  head: readonly Message[],
  turns: readonly Message[],
  { id, max_prompt_tokens, max_pictures = usualPictures }: FitTerms,
): { messages: Message[]; cutPairs: number; cutPictures: number } {
  let cutPairs = 0
  const openingTokens = estimatePromptTokens([])
  const shown = withNewestPictures([...head, ...turns], max_pictures)
  const [start, rest] = [shown.slice(0, head.length), shown.slice(head.length)]
  let tokens = estimatePromptTokens(shown, id)
  while (tokens > max_prompt_tokens && cutPairs * 2 < rest.length - 2) {
    tokens -= estimatePromptTokens(rest.slice(cutPairs * 2, cutPairs * 2 + 2), id) - openingTokens
    cutPairs += 1
  }
  const messages = [...start, ...rest.slice(cutPairs * 2)]
  const whole = [...head, ...turns.slice(cutPairs * 2)]
  return { messages, cutPairs, cutPictures: countPictures(whole) - countPictures(messages) }
}

/** Of a model choice, what its prompts are cut by. */
type FitTerms = Pick<ModelChoice, 'id' | 'max_prompt_tokens' | 'max_pictures'>

function countPictures(messages: readonly Message[]): number {
  return messages.reduce((sum, { pictures = [] }) => sum + pictures.length, 0)
}

/** The same messages, with no pictures but the last so many of all. */
export function withNewestPictures(messages: readonly Message[], most: number): Message[] {
  let left = most
  const shown = messages.toReversed().map((message) => {
    if (message.pictures === undefined || message.pictures.length <= left) {
      left -= message.pictures?.length ?? 0
      return message
    }
    const { pictures, ...text } = message
    const newest = left === 0 ? [] : pictures.slice(-left)
    left = 0
    return newest.length === 0 ? text : { ...text, pictures: newest }
  })
  return shown.reverse()
}
