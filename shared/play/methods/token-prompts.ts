import { EspalierError } from '../../core/contracts/errors.ts'
import type { PromptMessage } from '../../core/contracts/message.ts'
import type { EffectScope } from '../../core/engine/effect-scope.ts'
import { messageDigest } from '../../core/engine/request-digest.ts'
import type { TokenCounter } from '../models/token-counter.ts'
import type { SearchNode } from '../search/tree.ts'

// An answer of an earlier call.
interface GivenAnswer {
  call: string
  answer: number
}

const laterCall = /\/call\/\d+$/

export function answerBefore({ effect }: Pick<SearchNode, 'effect'>): GivenAnswer | undefined {
  const [, call = '', choice = '0'] =
    /^(node\/.*?)(?:\/choice\/(\d+))?(?:\/call\/\d+)?$/.exec(effect ?? '') ?? []
  return call === '' ? undefined : { call, answer: Number(choice) }
}

/**
 * The prompts of an episode as token ids. A prompt that goes on from an earlier call begins with the ids of that
 * call's prompt and answer, and only the text behind them is tokenized. Any other prompt is tokenized whole: the
 * first, one whose earlier turns were changed, and one behind an answer of several calls.
 */
export class TokenPrompts {
  readonly #effects: Pick<EffectScope, 'tokensOf'>
  readonly #asked = new Map<string, readonly PromptMessage[]>()

  constructor(effects: Pick<EffectScope, 'tokensOf'>) {
    this.#effects = effects
  }

  /**
   * Notes a call, also one that the journal answers, in the order of the function.
   *
   * @param node - the node that the prompt goes on from, if any
   * @returns the ids of the prompt, to be asked for within the call's effect
   */
  next(
    call: string,
    messages: readonly PromptMessage[],
    node: Pick<SearchNode, 'effect'> | undefined,
  ): (counter: TokenCounter) => Promise<number[]> {
    // A prompt shows the calls of one answer as several turns, but the answer's ids hold all of them.
    const after = node && !laterCall.test(node.effect ?? '') ? answerBefore(node) : undefined
    const before = after && this.#asked.get(after.call)
    this.#asked.set(call, messages)
    return async ({ model, encode }) => {
      if (encode === undefined) throw notTokenized('the run has no tokenizer', model)
      if (messages.some(({ pictures }) => pictures)) throw notTokenized('it holds pictures', model)
      try {
        if (after && before && goesOn(before, messages)) {
          const sequence = await this.#effects.tokensOf(after.call, after.answer)
          const place = { at: before.length, last: sequence?.at(-1) }
          const rest = sequence && (await encode(messages, place))
          if (sequence && rest) return [...sequence, ...rest]
        }
        const ids = await encode(messages)
        if (ids === null) throw new Error('its chat template makes no prompt')
        return ids
      } catch (error) {
        if (EspalierError.isInstance(error)) throw error
        throw notTokenized(error instanceof Error ? error.message : String(error), model)
      }
    }
  }
}

function goesOn(before: readonly PromptMessage[], messages: readonly PromptMessage[]): boolean {
  return (
    messages[before.length]?.role === 'assistant' &&
    before.every(
      (message, place) => messageDigest(message) === messageDigest(messages[place] as PromptMessage),
    )
  )
}

function notTokenized(why: string, model: string | null): EspalierError {
  const whose = model === null ? '' : ` by the tokenizer of ${model}`
  return new EspalierError(
    'invalid_request',
    `The prompt cannot be tokenized${whose}: ${why.replace(/[.]$/, '')}. Play with "prompting": "chat".`,
    { param: 'model.prompting' },
  )
}
