import type { Price } from '../shared/core/contracts/endpoint-configuration.ts'
import { estimatePromptTokens } from '../shared/play/models/estimate-tokens.ts'

/** The endpoint's prices. Each is a whole number of billionths of a dollar per token or call. */
export const price: Price = { input: 0.25, output: 1.25, request: 0.0001 }

const billionths = { input: 250, output: 1250, request: 100_000 }

export interface CallTokens {
  input_tokens: number
  output_tokens: number
}

export interface BookedCall {
  id: string
  model: string
  digest: string
  tokens: CallTokens
  most: CallTokens
  state: 'open' | 'answered' | 'cut'
}

export interface CallTotals {
  calls: number
  repeated: number
  cut: number
  /** Calls that were sent may be missing: the system reset connections that the endpoint had not taken. */
  mayMiss: boolean
  tokens: number
  /** Billionths of a dollar. */
  cost: number
}

/**
 * The endpoint's own books: every call that arrived in full and was processed, by its id and its model. A call whose
 * answer was cut is charged in full, as a client must assume, so that both sides' money agrees to the last digit.
 */
export class CallBook {
  readonly #calls = new Map<string, BookedCall[]>()
  readonly #byModel = new Map<string, BookedCall[]>()
  readonly #closing = new Map<BookedCall, () => void>()
  readonly #closed = new WeakMap<BookedCall, Promise<void>>()
  mayMiss = false

  open(facts: Pick<BookedCall, 'id' | 'model' | 'digest' | 'tokens' | 'most'>): BookedCall {
    const call: BookedCall = { ...facts, state: 'open' }
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#closing.set(call, resolve)
    this.#closed.set(call, promise)
    append(this.#calls, call.id, call)
    append(this.#byModel, call.model, call)
    return call
  }

  close(call: BookedCall, state: 'answered' | 'cut'): void {
    if (call.state !== 'open') return
    call.state = state
    if (state === 'cut') call.tokens = call.most
    this.#closing.get(call)?.()
    this.#closing.delete(call)
  }

  async find(id: string): Promise<(CallTokens & { cost: number }) | null> {
    const calls = this.#calls.get(id)
    if (calls === undefined) return null
    await Promise.all(calls.map((call) => this.#closed.get(call)))
    const input_tokens = sum(calls.map(({ tokens }) => tokens.input_tokens))
    const output_tokens = sum(calls.map(({ tokens }) => tokens.output_tokens))
    return { input_tokens, output_tokens, cost: sum(calls.map(nanoOf)) / 1e9 }
  }

  totals(model: string): CallTotals {
    const calls = this.#byModel.get(model) ?? []
    return {
      calls: calls.length,
      repeated: calls.length - new Set(calls.map(({ id }) => id)).size,
      mayMiss: this.mayMiss,
      cut: calls.filter(({ state }) => state === 'cut').length,
      tokens: sum(calls.map(({ tokens }) => tokens.input_tokens + tokens.output_tokens)),
      cost: sum(calls.map(nanoOf)),
    }
  }
}

interface PricedRequest {
  messages: { role: string; content: string }[]
  n?: number
  max_tokens?: number
}

/** True if so many lost calls more were counted than booked as the endpoint may have missed. */
export function missed(counted: { calls: number; lost: number }, booked: CallTotals): boolean {
  const more = counted.calls - booked.calls
  return booked.mayMiss && more > 0 && more <= counted.lost - booked.cut
}

export function mostOf({ messages, n = 1, max_tokens = 0 }: PricedRequest): CallTokens {
  const input_tokens = estimatePromptTokens(messages as Parameters<typeof estimatePromptTokens>[0])
  return { input_tokens, output_tokens: max_tokens * n }
}

function nanoOf({ tokens: { input_tokens, output_tokens } }: BookedCall): number {
  return input_tokens * billionths.input + output_tokens * billionths.output + billionths.request
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function append<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key)
  if (values === undefined) map.set(key, [value])
  else values.push(value)
}
