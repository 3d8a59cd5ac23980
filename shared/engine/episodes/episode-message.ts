import { z } from 'zod'

/** What travels in the queues `episodes` and `alone`: which episode is to be taken up. */
export const episodeMessageSchema = z.object({ run: z.string().min(1), episode: z.string().min(1) })

export type EpisodeMessage = z.infer<typeof episodeMessageSchema>

/** How often a message may be taken before it goes to the dead letters. */
export const mostReceives = 5

/**
 * Seconds until a message that could not be played comes back. Storage that fails gets about twenty minutes in all to
 * recover; what fails for another reason will hardly go better for waiting.
 *
 * @param receives - how often it was taken so far
 */
export function retryAfter(isTransient: boolean, receives: number): number {
  return isTransient ? 10 ** Math.min(receives - 1, 3) : 1
}
