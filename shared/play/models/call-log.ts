import { z } from 'zod'
import type { HttpEndpoint } from '../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { KeySource } from './keys/key-source.ts'

const callUsageSchema = z.object({
  input_tokens: z.int().nonnegative(),
  cached_tokens: z.int().nonnegative().exactOptional(),
  cache_write_tokens: z.int().nonnegative().exactOptional(),
  output_tokens: z.int().nonnegative(),
  reasoning_tokens: z.int().nonnegative().exactOptional(),
  cost: z
    .number()
    .nonnegative()
    .nullish()
    .transform((cost) => cost ?? null),
})

export type CallUsage = z.infer<typeof callUsageSchema>

/**
 * Asks an endpoint about a call, by its `X-Client-Request-Id`. `unseen`: it never arrived, so nothing was paid.
 *
 * @throws EspalierError `endpoint_failed` when the log cannot be read; then count the call as paid in full.
 */
export type CallLog = (callId: string, options?: { signal?: AbortSignal }) => Promise<CallUsage | 'unseen'>

const timeout = 30_000

export function createCallLog(name: string, endpoint: HttpEndpoint, keys: KeySource | null): CallLog | null {
  const base = endpoint.call_log_url?.replace(/\/+$/, '')
  if (base === undefined) return null
  const failure = (what: string) =>
    new EspalierError('endpoint_failed', `The call log of the endpoint "${name}" failed: ${what}`)
  return async (callId, { signal } = {}) => {
    const key = await keys?.current()
    const headers = key === undefined ? {} : { Authorization: `Bearer ${key.reveal()}` }
    const signals = [AbortSignal.timeout(timeout), ...(signal === undefined ? [] : [signal])]
    const address = `${base}/${encodeURIComponent(callId)}`
    let response: Response
    let body: unknown
    try {
      response = await fetch(address, { headers, signal: AbortSignal.any(signals) })
      body = response.ok ? await response.json() : await response.body?.cancel()
    } catch (error) {
      signal?.throwIfAborted()
      const name = error instanceof Error ? error.name : 'unknown error'
      throw failure(`no answer from ${base} (${name}). Check call_log_url and that the server is running.`)
    }
    if (response.status === 404) return 'unseen'
    if (!response.ok) throw failure(`status ${response.status}. Check call_log_url.`)
    const usage = callUsageSchema.safeParse(body)
    if (!usage.success) throw failure('its answer has no input_tokens and output_tokens. Check call_log_url.')
    return usage.data
  }
}
