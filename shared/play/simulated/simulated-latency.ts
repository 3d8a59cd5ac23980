import { createRandom, digestText } from '../../core/random/random.ts'

/** In milliseconds; deterministic for a request. */
export function simulatedLatency(
  settings: { latency: number; latency_spread?: number; seed: number },
  body: string,
): number {
  const { latency, latency_spread: spread = 0, seed } = settings
  if (spread === 0) return latency
  const random = createRandom(digestText(body, seed))
  return Math.max(0, latency + (random() * 2 - 1) * spread)
}
