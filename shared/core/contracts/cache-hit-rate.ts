import type { Usage } from './usage.ts'

export function cacheHitRate({
  cached_tokens,
  input_tokens,
}: Pick<Usage, 'cached_tokens' | 'input_tokens'>): number | null {
  return cached_tokens === undefined || input_tokens === 0 ? null : cached_tokens / input_tokens
}
