import type { Message } from '../../contracts/message.ts'
import type { CompleteModelChoice } from '../../contracts/model-choice.ts'
import { estimatingCounter, type TokenCounter } from '../../models/token-counter.ts'
import { countPictures, usualPictures, withNewestPictures } from '../../search/newest-pictures.ts'

/**
 * Shortens a prompt to `max_prompt_tokens`: all but its newest `max_pictures` pictures are left out, and then the oldest pairs of
 * action and observation go first; the head, with the system text, the instruction and the first observation, always stays, and
 * so does the newest pair: an agent has to see what came of its last action.
 *
 * @param turns - assistant and user messages in turn
 * @param counter - whose tokens they are. @default estimated
 * @returns the messages, how many pairs were cut, and how many pictures were left out of the rest
 */
export function fitPrompt(
  head: readonly Message[],
  turns: readonly Message[],
  { id, max_prompt_tokens, max_pictures = usualPictures }: FitTerms,
  counter: TokenCounter = estimatingCounter,
): { messages: Message[]; cutPairs: number; cutPictures: number } {
  const shown = withNewestPictures([...head, ...turns], max_pictures)
  const [start, rest] = [shown.slice(0, head.length), shown.slice(head.length)]
  const without = (cut: number) => [...start, ...rest.slice(cut * 2)]
  const cutPairs = leastThatFits(
    Math.max(0, Math.ceil(rest.length / 2) - 1),
    (cut) => counter.ofPrompt(without(cut), id) <= max_prompt_tokens,
  )
  const messages = without(cutPairs)
  const whole = [...head, ...turns.slice(cutPairs * 2)]
  return { messages, cutPairs, cutPictures: countPictures(whole) - countPictures(messages) }
}

/** Of a model choice, what its prompts are cut by. */
type FitTerms = Pick<CompleteModelChoice, 'id' | 'max_prompt_tokens' | 'max_pictures'>

/**
 * The least number from 0 to `most` that fits, where each beyond it fits too; `most` where none does. What it returns was seen to
 * fit, or is `most`.
 */
export function leastThatFits(most: number, fits: (cut: number) => boolean): number {
  if (most === 0 || fits(0)) return 0
  let [tooFew, enough] = [0, most]
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2)
    if (fits(middle)) enough = middle
    else tooFew = middle
  }
  return enough
}
