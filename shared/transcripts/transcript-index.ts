import type { EpisodeEnd } from '../contracts/episode.ts'
import type { PassageKind } from '../contracts/transcript-search.ts'
import type { EpisodePassages, IndexedEpisode, Passage } from './passage.ts'
import type { TextQuery } from './text-query.ts'

/**
 * Neighbouring episodes that drivers may store together, from a position that it divides on: `put` is cheapest with all of them at
 * once, and so many are in memory then.
 */
export const episodesOfPart = 20

/**
 * The passages of runs, by what stands in them. It holds what can be read again: an index that is lost is made anew. Runs are
 * asked for one by one: a caller asks for those that it may see. One contract suite holds for all drivers
 * (`test/transcripts/index-contract.ts`).
 */
export interface TranscriptIndex {
  /** What is known of a run as a whole, without a look at its episodes. */
  summary(run: string): Promise<IndexSummary>
  /** The versions of the indexed episodes of a run, by their positions. */
  versions(run: string): Promise<ReadonlyMap<number, string>>
  /** Puts these episodes in place of what is indexed of them: each whole, or not. */
  put(run: string, episodes: readonly EpisodePassages[]): Promise<void>
  /** Notes that all ended episodes of a run are indexed as of this mark, so that they need not be looked at again. */
  settle(run: string, mark: string): Promise<void>
  /** At most `limit` passages of a run that pass, in the order of episodes and passages, those behind `after`. */
  search(run: string, query: PassageQuery): Promise<FoundPassage[]>
  /** Forgets a deleted run, as far as that is not removed with what is stored of it. Unknown ones are fine. */
  remove(run: string): Promise<void>
  /** Lets go of files. Idempotent. */
  close(): Promise<void>
}

export interface IndexSummary {
  /** Of the last {@link TranscriptIndex.settle}; null: there was none. */
  settled: string | null
  /** Episodes that are not indexed whole. */
  cut: number
}

export const nothingIndexed: IndexSummary = { settled: null, cut: 0 }

export interface PassageQuery extends PassageFilter {
  text: TextQuery
  limit: number
  after?: PassagePlace | undefined
}

/** Filters that are given must all hold. */
export interface PassageFilter {
  kind?: PassageKind | undefined
  finish_reason?: string | undefined
  outcome?: EpisodeEnd | undefined
}

/** Where a passage stands in its run. */
export interface PassagePlace {
  /** The position of the episode. */
  episode: number
  passage: number
}

export interface FoundPassage {
  place: PassagePlace
  episode: IndexedEpisode
  passage: Passage
}
