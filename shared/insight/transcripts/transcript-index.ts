import type { EpisodeEnd } from '../../core/contracts/episode.ts'
import type { PassageKind } from '../../core/contracts/transcript-search.ts'
import type { EpisodePassages, IndexedEpisode, Passage } from './passage.ts'
import type { TextQuery } from './text-query.ts'

/**
 * Neighbouring episodes that drivers may store together, from a position divisible by it. `put` is cheapest with all
 * of them in one call, and that many are in memory then.
 */
export const episodesOfPart = 20

/**
 * The passages of runs, by their words. All of it can be read again, so a lost index is rebuilt. A search names
 * single runs: a caller names only those that it may see. One contract suite holds for all drivers
 * (`test/insight/transcripts/index-contract.ts`).
 */
export interface TranscriptIndex {
  summary(run: string): Promise<IndexSummary>
  versions(run: string): Promise<ReadonlyMap<number, string>>
  /** Replaces the indexed passages of these episodes: each whole, or not at all. */
  put(run: string, episodes: readonly EpisodePassages[]): Promise<void>
  /** Records that all ended episodes of a run are indexed as of this mark, so that they need no further check. */
  settle(run: string, mark: string): Promise<void>
  /**
   * At most `limit` matching passages of a run, in the order of episodes and passages, those after `after`. A driver
   * that reads for long may stop once `isOver`, after it has looked at some passages: it returns the last of these.
   */
  search(run: string, query: PassageQuery): Promise<PassageHits>
  /** Forgets a deleted run, except for data already removed with the run. Unknown ones are fine. */
  remove(run: string): Promise<void>
  close(): Promise<void>
}

export interface IndexSummary {
  settled: string | null
  cut: number
}

export const nothingIndexed: IndexSummary = { settled: null, cut: 0 }

export interface PassageQuery extends PassageFilter {
  text: TextQuery
  limit: number
  after?: PassagePlace | undefined
  isOver?: () => boolean
}

export interface PassageFilter {
  kind?: PassageKind | undefined
  finish_reason?: string | undefined
  outcome?: EpisodeEnd | undefined
}

export interface PassagePlace {
  episode: number
  passage: number
}

export interface PassageHits {
  found: FoundPassage[]
  stoppedAt: PassagePlace | null
}

export interface FoundPassage {
  place: PassagePlace
  episode: IndexedEpisode
  passage: Passage
}
