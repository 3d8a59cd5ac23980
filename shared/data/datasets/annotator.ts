import type { Json } from '../../core/contracts/json.ts'
import type { PromptMessage } from '../../core/contracts/message.ts'
import type { Random } from '../../core/random/random.ts'
import type { TokenCounter } from '../../play/models/token-counter.ts'
import type { Attempt } from './attempt.ts'

export interface AnnotationQuestion {
  key: string
  messages: readonly PromptMessage[]
  answerTokens?: number
}

/** The operations of an annotator; see `EffectScope` for their laws. Everything else in it must be pure. */
export interface AnnotationScope {
  ask(question: AnnotationQuestion): Promise<string>
  keep(key: string, value: Json): Promise<void>
  random(key: string): Random
  readonly maxPromptTokens: number
  readonly counter: TokenCounter
}

/**
 * Asks a model about one attempt. Every question is an effect of an episode of the dataset's annotation run:
 * journaled, counted and capped like those of any other. Rows are built afterwards, from the results by their keys
 * (`Attempt.annotation`).
 */
export interface Annotator {
  readonly id: string
  annotate(scope: AnnotationScope, attempt: Attempt): Promise<void>
}
