import type { Price } from '../../../core/contracts/endpoint-configuration.ts'
import type { CompleteModelChoice, ModelChoice, Role } from '../../../core/contracts/model-choice.ts'
import type { RunRequest } from '../../../core/contracts/run.ts'
import { estimatingCounter, type TokenCounter } from '../../models/token-counter.ts'
import type { Effort } from '../effort.ts'
import { choiceOf } from '../model-calls.ts'
import { choicesOf } from '../pooled-choices.ts'

export interface KnownEndpoints {
  price(model: ModelChoice): Price | null
  maxChoices(endpoint: string): number | null
}

export interface AskedModel {
  choice: CompleteModelChoice
  price: Price | null
  maxChoices: number | null
  counter: TokenCounter
}

export type AskedModels = ReadonlyMap<'policy' | Role, AskedModel>

/**
 * The models that a method calls. Embeddings are made only if the run names a model for them.
 *
 * @param counters - by tokenizer name in the request
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
    const pool = choicesOf(choice)
    const fewest = pool.flatMap(({ endpoint }) => maxChoices(endpoint) ?? [])
    return [
      role,
      {
        choice,
        price: dearest(pool.map(price)),
        maxChoices: fewest.length === 0 ? null : Math.min(...fewest),
        counter,
      },
    ] as const
  })
  return new Map(models)
}

function dearest(prices: readonly (Price | null)[]): Price | null {
  const [first = null, ...others] = prices
  return others.reduce((most, each) => most && each && atMost(most, each), first)
}

function atMost(one: Price, other: Price): Price {
  const most = (of: (price: Price) => number) => Math.max(of(one), of(other))
  return {
    input: most(({ input }) => input),
    output: most(({ output }) => output),
    cached_input: most(({ input, cached_input = input }) => cached_input),
    cache_write: most(({ input, cache_write = input }) => cache_write),
    request: most(({ request = 0 }) => request),
  }
}
