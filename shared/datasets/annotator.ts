import type { Json } from '../contracts/json.ts'
import type { Message } from '../contracts/message.ts'
import type { TokenCounter } from '../models/token-counter.ts'
import type { Random } from '../random/random.ts'
import type { Attempt } from './attempt.ts'

/** A question to the dataset's model. Its key is unique within the attempt and hierarchical, such as `judge/12`. */
export interface AnnotationQuestion {
  key: string
  messages: readonly Message[]
  /** Minimum length of the answer to allow, in tokens. */
  answerTokens?: number
}

/** The operations of an annotator; see `EffectScope` for their laws. Everything else in it must be pure. */
export interface AnnotationScope {
  ask(question: AnnotationQuestion): Promise<string>
  /** Computes a value once and keeps it under the key, for example one parsed from answers. */
  keep(key: string, value: Json): Promise<void>
  random(key: string): Random
  /** Maximum length of a question for the model, in tokens. */
  readonly maxPromptTokens: number
  readonly counter: TokenCounter
}

/**
 * Asks a model about one attempt. Every question is an effect of an episode of the dataset's annotation run:
 * journaled, counted and capped like those of any other. Rows are built afterwards, from the results by their keys
 * (`Attempt.annotation`).
 */
export interface Annotator {
  /** The `method` of the annotation run, such as `judge-steps`. */
  readonly id: string
  annotate(scope: AnnotationScope, attempt: Attempt): Promise<void>
}
