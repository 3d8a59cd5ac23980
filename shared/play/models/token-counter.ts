import type { PromptMessage } from '../../core/contracts/message.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'
import type { Later } from './later.ts'

export interface TokenCounter {
  /** The registered model whose tokenizer it uses; null: it estimates, on the high side. */
  readonly model: string | null
  ofText(text: string): Later<number>
  /**
   * The tokens of a conversation, with those of the chat template around its messages and before the answer.
   *
   * @param model - whose rule estimates the tokens of pictures; absent: the rule that yields most
   */
  ofPrompt(messages: readonly PromptMessage[], model?: string): Later<number>
  /** One more than the largest token id. @default unknown */
  vocabulary?(): Later<number>
  /**
   * The ids of a conversation in the chat template, or those behind one of its answers; null if the template does not
   * show that answer once. @default it cannot
   *
   * @throws Error if the template refuses the conversation
   */
  encode?(messages: readonly PromptMessage[], after?: AnswerPlace): Promise<number[] | null>
}

/** An answer in a conversation whose own ids go on in place of its text. */
export interface AnswerPlace {
  at: number
  last: number | undefined
}

export interface DirectCounter extends Omit<TokenCounter, 'encode'> {
  ofText(text: string): number
  ofPrompt(messages: readonly PromptMessage[], model?: string): number
}

export const estimatingCounter: DirectCounter = {
  model: null,
  ofText: estimateTokens,
  ofPrompt: estimatePromptTokens,
}

/**
 * Counts within an episode's function, which may wait only for its scope.
 *
 * @param compute - `EffectScope.compute`
 */
export function countWithin(
  counter: TokenCounter,
  compute: <Result>(perform: () => Promise<Result>) => Promise<Result>,
): TokenCounter {
  if (counter.model === null) return counter
  return {
    model: counter.model,
    ofText: (text) => compute(async () => counter.ofText(text)),
    ofPrompt: (messages, model) => compute(async () => counter.ofPrompt(messages, model)),
  }
}
