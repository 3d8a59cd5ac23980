import { hash } from 'node:crypto'
import type { World } from '../../world/ports.ts'
import type { EpisodeSummary } from '../episodes/episode-program.ts'
import { objectKeys } from '../keys.ts'
import type { Learned } from '../runs/run-planner.ts'

export type LearnedPart = { digest: string; bytes: number }

export type LearnedParts = Record<Learned, LearnedPart | null>

export const nothingLearned: Readonly<LearnedParts> = { memory: null, library: null }

/**
 * Stores an episode's output for others under names unique to the content. Readers see it once the episode's end
 * names it, and not before. So a worker that lost its claim, or died before it could end the episode, leaves no
 * readable output.
 * @param summary - null for an episode that ended with an error, which leaves nothing
 */
export async function publishLearned(
  { objects }: Pick<World, 'objects'>,
  { run, episode }: { run: string; episode: string },
  summary: Pick<EpisodeSummary, 'notes' | 'actions'> | null,
): Promise<LearnedParts> {
  async function put(kind: Learned, items: readonly unknown[]): Promise<LearnedPart | null> {
    if (items.length === 0) return null
    const body = Buffer.from(JSON.stringify(items))
    const digest = hash('sha256', body).slice(0, 32)
    await objects.put(objectKeys.part(kind, { run, episode, digest }), body, {
      content_type: 'application/json',
    })
    return { digest, bytes: body.byteLength }
  }
  return {
    memory: await put('memory', summary?.notes ?? []),
    library: await put('library', summary?.actions ?? []),
  }
}
