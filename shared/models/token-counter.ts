import type { Message } from '../contracts/message.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'
import type { Later } from './later.ts'

/** Counts what a model is sent, in its tokens. A model's own tokenizer counts in another process, so its counts come later. */
export interface TokenCounter {
  /** The registered model by whose tokenizer it counts; null: it estimates, on the high side. */
  readonly model: string | null
  /** The tokens of a text without anything around it. */
  ofText(text: string): Later<number>
  /**
   * The tokens of a conversation, with what the chat template puts around its messages and before the answer.
   *
   * @param model - by whose rule pictures are counted, whose tokens are always estimated; absent: by the one that takes most
   */
  ofPrompt(messages: readonly Message[], model?: string): Later<number>
}

/** A counter whose counts are there at once. */
export interface DirectCounter extends TokenCounter {
  ofText(text: string): number
  ofPrompt(messages: readonly Message[], model?: string): number
}

/** Counts for every model whose tokenizer is not known: three bytes are taken for a token. */
export const estimatingCounter: DirectCounter = {
  model: null,
  ofText: estimateTokens,
  ofPrompt: estimatePromptTokens,
}

/**
 * Counts as part of an episode's function, which may wait for its scope alone.
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
