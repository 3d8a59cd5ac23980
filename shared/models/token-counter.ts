import type { Message } from '../contracts/message.ts'
import { estimatePromptTokens, estimateTokens } from './estimate-tokens.ts'

/** Counts what a model is sent, in its tokens. */
export interface TokenCounter {
  /** The registered model by whose tokenizer it counts; null: it estimates, on the high side. */
  readonly model: string | null
  /** The tokens of a text without anything around it. */
  ofText(text: string): number
  /**
   * The tokens of a conversation, with what the chat template puts around its messages and before the answer.
   *
   * @param model - by whose rule pictures are counted, whose tokens are always estimated; absent: by the one that takes most
   */
  ofPrompt(messages: readonly Message[], model?: string): number
}

/** Counts for every model whose tokenizer is not known: three bytes are taken for a token. */
export const estimatingCounter: TokenCounter = {
  model: null,
  ofText: estimateTokens,
  ofPrompt: estimatePromptTokens,
}
