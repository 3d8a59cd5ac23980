import type { EndpointWarning } from '../../core/contracts/endpoint-warning.ts'
import type { Message } from '../../core/contracts/message.ts'

/** More code points than tokenizers put into one token on average, by script, in text without repeated characters. */
const charactersPerToken = { ascii: 16, wide: 4, other: 8 }
const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu
/** Tokenizers split at white space, so a word has one token at least; some join a few common words. */
const tokensPerWord = 0.75
/** Fewer tokens show nothing: marks of chat templates and rounding are as many. */
const leastWorthAWarning = 80

const perMessage = new WeakMap<Message, number>()

/**
 * The lower bound of a text's tokens, whatever the tokenizer and the language. Pictures count zero, and a run of one
 * character counts as one.
 */
export function leastPromptTokens(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => {
    let own = perMessage.get(message)
    if (own === undefined) {
      own = leastTokens(message.content)
      perMessage.set(message, own)
    }
    return sum + own
  }, 0)
}

function leastTokens(text: string): number {
  const shortened = text.replace(/(.)\1+/gsu, '$1')
  const count = (pattern: RegExp) => shortened.match(pattern)?.length ?? 0
  const ideographs = count(wide)
  const others = count(/[^\p{ASCII}]/gu) - ideographs
  const characters =
    count(/\p{ASCII}/gu) / charactersPerToken.ascii +
    ideographs / charactersPerToken.wide +
    others / charactersPerToken.other
  return Math.floor(Math.max(characters, count(/\S+/g) * tokensPerWord))
}

/**
 * A warning if an endpoint counts far fewer tokens of a prompt than it has: the server may have cut it to its window.
 *
 * @param counted - as the endpoint reports; null: it does not count
 */
export function warnOfShortCount(
  { endpoint, model, messages }: { endpoint: string; model: string; messages: readonly Message[] },
  counted: number | null,
): EndpointWarning | null {
  if (counted === null) return null
  const least = leastPromptTokens(messages)
  if (least < leastWorthAWarning || counted >= least) return null
  const message = `The endpoint "${endpoint}" counted ${counted} tokens of a prompt that has ${least} at least: its context window may be too small, so that the server cuts prompts. Raise the server's window (num_ctx of Ollama, --ctx-size of llama.cpp), or lower max_prompt_tokens of the model "${model}".`
  return { code: 'short_prompt_count', endpoint, model, message }
}
