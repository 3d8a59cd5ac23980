import { type EpisodeResult, episodeId } from '../../contracts/episode.ts'
import { EspalierError } from '../../contracts/errors.ts'
import type { LearnedAction } from '../../contracts/library.ts'
import type { MemoryNote } from '../../contracts/memory.ts'
import type { World } from '../../world/ports.ts'
import { type EpisodeRow, hasEnded } from '../episodes/episode-row.ts'
import { ledgerKeys } from '../keys.ts'
import type { MemoryReader } from './memory-reader.ts'
import { PartCache } from './part-cache.ts'
import { readParts } from './read-parts.ts'

/**
 * Reads the output of runs' episodes for others. It caches parts, up to a bound, by digest, so it reads a part again
 * only if rewritten.
 * @example
 * const reader = openMemoryReader(world)
 * const notes = await reader.notesOf(runOfMemory('mem-06c5k8q2xg-4hj7k2mn'), { before: null })
 */
export function openMemoryReader(world: Pick<World, 'objects' | 'ledger'>): MemoryReader {
  const cache = new PartCache()

  async function collect<Item>(
    kind: 'memory' | 'library',
    run: string,
    options: { from?: number; before?: number },
  ): Promise<Item[]> {
    const items: Item[] = []
    for await (const part of readParts<Item>(world, kind, run, { cache, ...options })) items.push(...part)
    return items
  }

  return {
    notesOf: (run, { before }) => {
      return collect<MemoryNote>('memory', run, before === null ? {} : { before })
    },
    actionsOf: (run) => collect<LearnedAction>('library', run, {}),
    async learned(run, index) {
      const episode = episodeId(index)
      const row = (await world.ledger.get(ledgerKeys.episode(run, episode))) as EpisodeRow | null
      const why = row === null || !hasEnded(row) ? 'has not ended' : whyNothing(row.result)
      if (why !== null) {
        throw new EspalierError(
          'invalid_state',
          `The learning episode ${episode} ${why}, so there is nothing to play with. Once the run ${run} has ended, retry it: that plays this episode and those that need it again.`,
          { param: 'episode' },
        )
      }
      const only = { from: index, before: index + 1 }
      return {
        notes: await collect<MemoryNote>('memory', run, only),
        actions: await collect<LearnedAction>('library', run, only),
      }
    },
  }
}

function whyNothing(result: EpisodeResult | null): string | null {
  if (result === null) return 'was cancelled'
  return result.error === null ? null : `ended with an error (${result.error.name}: ${result.error.message})`
}
