import { z } from 'zod'

export const episodeMessageSchema = z.object({ run: z.string().min(1), episode: z.string().min(1) })

export type EpisodeMessage = z.infer<typeof episodeMessageSchema>

export const mostReceives = 5

/**
 * Seconds until a failed message returns. Failing storage gets about twenty minutes in all to recover; other failures
 * rarely improve by waiting.
 * @param receives - receives so far
 */
export function retryAfter(isTransient: boolean, receives: number): number {
  return isTransient ? 10 ** Math.min(receives - 1, 3) : 1
}
