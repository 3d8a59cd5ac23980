import type { PromptMessage } from '../../../core/contracts/message.ts'
import type { CompleteModelChoice } from '../../../core/contracts/model-choice.ts'
import { type Later, whenThere } from '../../models/later.ts'
import { type DirectCounter, estimatingCounter, type TokenCounter } from '../../models/token-counter.ts'
import {
  countPictures,
  usualPictures,
  withNewestPictures,
  withoutPictures,
} from '../../search/newest-pictures.ts'

/**
 * Shortens a prompt to `max_prompt_tokens`. Drops all but its newest `max_pictures` pictures, and then the oldest
 * pairs of an answer and its results. The head, with the system text, the instruction and the first observation,
 * always stays. So does the newest pair: an agent must see the result of its last action. Of the results of several
 * calls the oldest are left out if the prompt exceeds the limit with the newest pair alone.
 *
 * @param turns - assistant messages, each with the user message or the results of its calls behind it
 * @param counter - counts the tokens. @default estimated
 * @returns the messages, the number of pairs cut, and the number of pictures dropped from the others
 */
export function fitPrompt(
  head: readonly PromptMessage[],
  turns: readonly PromptMessage[],
  terms: FitTerms,
  counter?: DirectCounter,
): FittedPrompt
export function fitPrompt(
  head: readonly PromptMessage[],
  turns: readonly PromptMessage[],
  terms: FitTerms,
  counter: TokenCounter,
): Later<FittedPrompt>
export function fitPrompt(
  head: readonly PromptMessage[],
  turns: readonly PromptMessage[],
  { id, max_prompt_tokens, max_pictures = usualPictures }: FitTerms,
  counter: TokenCounter = estimatingCounter,
): Later<FittedPrompt> {
  const shown = withNewestPictures([...head, ...turns], max_pictures)
  const [start, rest] = [shown.slice(0, head.length), shown.slice(head.length)]
  const answers = rest.flatMap(({ role }, place) => (role === 'assistant' ? [place] : []))
  const newest = (answers.at(-1) ?? rest.length) + 1
  const mostPairs = Math.max(0, answers.length - 1)
  // Beyond all pairs but the newest, results of its calls are left out.
  const without = (cut: number) => {
    const emptied = newest + cut - mostPairs
    const kept = rest.map((turn, place) => (place >= newest && place < emptied ? leftOut(turn) : turn))
    return [...start, ...kept.slice(answers[Math.min(cut, mostPairs)] ?? 0)]
  }
  const most = mostPairs + Math.max(0, rest.length - newest - 1)
  const least = leastThatFits(most, (cut) =>
    whenThere(counter.ofPrompt(without(cut), id), (tokens) => tokens <= max_prompt_tokens),
  )
  return whenThere(least, (cut) => {
    const messages = without(cut)
    const cutPairs = Math.min(cut, mostPairs)
    const whole = [...head, ...turns.slice(answers[cutPairs] ?? 0)]
    return { messages, cutPairs, cutPictures: countPictures(whole) - countPictures(messages) }
  })
}

function leftOut(result: PromptMessage): PromptMessage {
  return { ...withoutPictures(result), content: '(left out: the prompt is full)' }
}

interface FittedPrompt {
  messages: PromptMessage[]
  cutPairs: number
  cutPictures: number
}

type FitTerms = Pick<CompleteModelChoice, 'id' | 'max_prompt_tokens' | 'max_pictures'>

/**
 * The least number from 0 to `most` that fits, if each larger one fits too; `most` if none does. The result was seen
 * to fit, or is `most`.
 */
export function leastThatFits(most: number, fits: (cut: number) => Later<boolean>): Later<number> {
  const search = (tooFew: number, enough: number): Later<number> => {
    if (enough - tooFew <= 1) return enough
    const middle = Math.floor((tooFew + enough) / 2)
    return whenThere(fits(middle), (isEnough) => (isEnough ? search(tooFew, middle) : search(middle, enough)))
  }
  return most === 0 ? 0 : whenThere(fits(0), (isEnough) => (isEnough ? 0 : search(0, most)))
}
