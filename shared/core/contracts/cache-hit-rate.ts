import type { Usage } from './usage.ts'

/** The share of the input tokens that a cache held, 0 to 1; null if the endpoint reported none. */
export function cacheHitRate({
  cached_tokens,
  input_tokens,
}: Pick<Usage, 'cached_tokens' | 'input_tokens'>): number | null {
  return cached_tokens === undefined || input_tokens === 0 ? null : cached_tokens / input_tokens
}
