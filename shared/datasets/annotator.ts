import type { Json } from '../contracts/json.ts'
import type { Message } from '../contracts/message.ts'
import type { TokenCounter } from '../models/token-counter.ts'
import type { Random } from '../random/random.ts'
import type { Attempt } from './attempt.ts'

/** A question to the dataset's model. Its key is unique within the attempt and hierarchical, such as `judge/12`. */
export interface AnnotationQuestion {
  key: string
  messages: readonly Message[]
  /** How many tokens the answer may need at least. */
  answerTokens?: number
}

/** What an annotator may touch; see `EffectScope`, whose laws hold: apart from this it must be pure. */
export interface AnnotationScope {
  /** The answer, committed to the annotation's journal once and for all. */
  ask(question: AnnotationQuestion): Promise<string>
  /** Computes something once and keeps it under the key, such as what was read from answers. */
  keep(key: string, value: Json): Promise<void>
  random(key: string): Random
  /** How long a question may get for the model, in tokens. */
  readonly maxPromptTokens: number
  /** Counts in these tokens. */
  readonly counter: TokenCounter
}

/**
 * Asks a model about one attempt. Every question is an effect of an episode of the dataset's annotation run: journaled, counted
 * and capped like those of any other. Rows are made afterwards, from the results by their keys (`Attempt.annotation`).
 */
export interface Annotator {
  /** The `method` of the annotation run, such as `judge-steps`. */
  readonly id: string
  annotate(scope: AnnotationScope, attempt: Attempt): Promise<void>
}
