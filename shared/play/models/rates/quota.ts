import type { HttpEndpoint } from '../../../core/contracts/endpoint-configuration.ts'
import { EspalierError } from '../../../core/contracts/errors.ts'
import { leaseLife } from './gcra.ts'

/** An endpoint's allowance per minute; null for no limit. */
export interface Quota {
  requests: number | null
  tokens: number | null
}

export interface Units {
  requests: number
  tokens: number
}

export function quotaOf(endpoint: HttpEndpoint): Quota | null {
  const { requests_per_minute: requests = null, tokens_per_minute: tokens = null } = endpoint
  return requests === null && tokens === null ? null : { requests, tokens }
}

/**
 * The size of a worker's lease: the first waiting call, and those that wait or are expected behind it, up to two
 * seconds' worth of the quota.
 *
 * @param waiting - the tokens of the waiting calls, in order
 * @param expected - number of calls expected in the life of the lease, waiting ones included
 */
export function sizeOfLease(quota: Quota, waiting: Iterable<number>, expected: number): Units {
  const most = {
    requests: worthOf(quota.requests),
    tokens: worthOf(quota.tokens),
  }
  const fits = ({ requests, tokens }: Units) => requests <= most.requests && tokens <= most.tokens
  let lease: Units = { requests: 0, tokens: 0 }
  for (const tokens of waiting) {
    const more = { requests: lease.requests + 1, tokens: lease.tokens + tokens }
    if (lease.requests > 0 && !fits(more)) return lease
    lease = more
  }
  const each = lease.requests === 0 ? 0 : lease.tokens / lease.requests
  while (lease.requests < expected) {
    const more = { requests: lease.requests + 1, tokens: Math.ceil(lease.tokens + each) }
    if (!fits(more)) return lease
    lease = more
  }
  return lease
}

function worthOf(perMinute: number | null): number {
  return perMinute === null ? Number.POSITIVE_INFINITY : (perMinute * leaseLife) / 60_000
}

/** @throws EspalierError if a call could never be made */
export function checkFits(endpoint: string, quota: Quota, tokens: number): void {
  if (quota.tokens === null || tokens <= quota.tokens) return
  throw new EspalierError(
    'endpoint_failed',
    `The endpoint "${endpoint}" allows ${quota.tokens} tokens per minute, and this call can take ${tokens}: its prompt and max_tokens. Lower max_tokens or max_prompt_tokens, or correct tokens_per_minute.`,
  )
}
