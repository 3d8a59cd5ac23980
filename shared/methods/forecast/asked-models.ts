import type { Price } from '../../contracts/endpoint-configuration.ts'
import type { CompleteModelChoice, ModelChoice, Role } from '../../contracts/model-choice.ts'
import type { RunRequest } from '../../contracts/run.ts'
import { estimatingCounter, type TokenCounter } from '../../models/token-counter.ts'
import type { Effort } from '../effort.ts'
import { choiceOf } from '../model-calls.ts'

/** What is known of endpoints without asking them. */
export interface KnownEndpoints {
  price(model: ModelChoice): Price | null
  /** How many answers one request to an endpoint asks for at most; null: all that a call wants. */
  maxChoices(endpoint: string): number | null
}

/** Who is asked in an episode, at which price, and for how many answers at a time. */
export interface AskedModel {
  choice: CompleteModelChoice
  price: Price | null
  maxChoices: number | null
  /** Counts its prompts. */
  counter: TokenCounter
}

export type AskedModels = ReadonlyMap<'policy' | Role, AskedModel>

/**
 * The models that a method's calls go to. Embeddings are made only where the run names a model for them.
 *
 * @param counters - by the names that the request has for tokenizers
 */
export function askedModels(
  request: Pick<RunRequest, 'model' | 'roles'>,
  efforts: readonly Effort[],
  { maxChoices, price }: KnownEndpoints,
  counters: ReadonlyMap<string, TokenCounter>,
): AskedModels {
  const roles = efforts.flatMap(({ others = [] }) => others.map(({ role }) => role))
  const asked = new Set(roles.filter((role) => role !== 'embedding' || request.roles.embedding !== undefined))
  const models = ['policy' as const, ...asked].map((role) => {
    const choice = choiceOf(request, role)
    const counter = counters.get(choice.tokenizer ?? '') ?? estimatingCounter
    return [role, { choice, price: price(choice), maxChoices: maxChoices(choice.endpoint), counter }] as const
  })
  return new Map(models)
}
