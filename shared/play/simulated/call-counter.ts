import type { Prices } from '../../core/contracts/endpoint-configuration.ts'
import { addCosts } from '../../core/contracts/money.ts'
import type { CallUsage } from '../models/call-log.ts'
import { costOf, findPrice } from '../models/prices.ts'

/**
 * The total usage of a simulated server. `calls` are requests received in full and processed, even if the answer was
 * lost. Rejected requests (4xx, 5xx) do not count, because they cost nothing. `unique_calls` have different
 * `X-Client-Request-Id`; each call without the header counts separately. `cost` is in US dollars; null if any call had
 * no price.
 */
export interface CallStats {
  calls: number
  unique_calls: number
  input_tokens: number
  output_tokens: number
  cost: number | null
}

export class CallCounter {
  readonly #prices: Prices
  readonly #byId = new Map<string, CallUsage>()
  #stats: CallStats = { calls: 0, unique_calls: 0, input_tokens: 0, output_tokens: 0, cost: 0 }

  constructor(prices: Prices) {
    this.#prices = prices
  }

  get stats(): CallStats {
    return { ...this.#stats }
  }

  find(id: string): CallUsage | undefined {
    return this.#byId.get(id)
  }

  count(id: string | null, model: string, tokens: { input_tokens: number; output_tokens: number }): void {
    const usage: CallUsage = { ...tokens, cost: costOf(findPrice(this.#prices, model), tokens) }
    const earlier = id === null ? undefined : this.#byId.get(id)
    if (id !== null) this.#byId.set(id, earlier === undefined ? usage : sum(earlier, usage))
    const { calls, unique_calls } = this.#stats
    this.#stats = {
      calls: calls + 1,
      unique_calls: unique_calls + (earlier === undefined ? 1 : 0),
      ...sum(this.#stats, usage),
    }
  }
}

function sum(left: CallUsage, right: CallUsage): CallUsage {
  return {
    input_tokens: left.input_tokens + right.input_tokens,
    output_tokens: left.output_tokens + right.output_tokens,
    cost: addCosts(left.cost, right.cost),
  }
}
