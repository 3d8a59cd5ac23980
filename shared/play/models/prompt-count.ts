import type { EndpointWarning } from '../../core/contracts/endpoint-warning.ts'
import type { PromptMessage } from '../../core/contracts/message.ts'
import type { CountedTokens } from './read-token-counts.ts'

/** More code points than tokenizers put into one token on average, by script, in text without repeated characters. */
const charactersPerToken = { ascii: 16, wide: 4, other: 8 }
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
const space = /\s/u
/** Tokenizers split at white space, so a word has one token at least; some join a few common words. */
const tokensPerWord = 0.75
/** Fewer tokens show nothing: marks of chat templates and rounding are as many. */
const leastWorthAWarning = 80

const perMessage = new WeakMap<PromptMessage, number>()

/**
 * The lower bound of a text's tokens, whatever the tokenizer and the language. Pictures count zero, and a run of one
 * character counts as one.
 */
export function leastPromptTokens(messages: readonly PromptMessage[]): number {
  return messages.reduce((sum, message) => {
    let own = perMessage.get(message)
    if (own === undefined) {
      own = leastTokens(message.content)
      perMessage.set(message, own)
    }
    return sum + own
  }, 0)
}

/** One pass over the code points: each new message of each call is counted. */
function leastTokens(text: string): number {
  const counts = { ascii: 0, wide: 0, other: 0 }
  let words = 0
  let isInWord = false
  let before = -1
  for (let at = 0; at < text.length; at += 1) {
    let point = text.charCodeAt(at)
    let isSpace = point === 32 || (point >= 9 && point <= 13)
    if (point >= 128) {
      point = text.codePointAt(at) ?? 0
      if (point > 0xffff) at += 1
    }
    if (point === before) continue
    before = point
    if (point < 128) counts.ascii += 1
    else {
      const character = String.fromCodePoint(point)
      if (wide.test(character)) counts.wide += 1
      else counts.other += 1
      isSpace = space.test(character)
    }
    if (!isSpace && !isInWord) words += 1
    isInWord = !isSpace
  }
  const characters =
    counts.ascii / charactersPerToken.ascii +
    counts.wide / charactersPerToken.wide +
    counts.other / charactersPerToken.other
  return Math.floor(Math.max(characters, words * tokensPerWord))
}

/** A warning if an endpoint states no tokens of an answer: hidden reasoning is then in no estimate. */
export function warnOfEstimate(
  { endpoint, model }: { endpoint: string; model: string },
  { input_tokens, output_tokens }: Pick<CountedTokens, 'input_tokens' | 'output_tokens'>,
): EndpointWarning | null {
  if (input_tokens !== null && output_tokens !== null) return null
  const message = `The endpoint "${endpoint}" states no tokens with its answers, so the tokens of the model "${model}", and their cost, are estimates. Hidden reasoning is not in them, so a cap on the cost may be passed.`
  return { code: 'estimated_usage', endpoint, model, message }
}

/**
 * A warning if an endpoint counts far fewer tokens of a prompt than it has: the server may have cut it to its window.
 *
 * @param counted - as the endpoint reports; null: it does not count
 */
export function warnOfShortCount(
  { endpoint, model, messages }: { endpoint: string; model: string; messages: readonly PromptMessage[] },
  counted: number | null,
): EndpointWarning | null {
  if (counted === null) return null
  const least = leastPromptTokens(messages)
  if (least < leastWorthAWarning || counted >= least) return null
  const message = `The endpoint "${endpoint}" counted ${counted} tokens of a prompt that has ${least} at least: its context window may be too small, so that the server cuts prompts. Raise the server's window (num_ctx of Ollama, --ctx-size of llama.cpp), or lower max_prompt_tokens of the model "${model}".`
  return { code: 'short_prompt_count', endpoint, model, message }
}
