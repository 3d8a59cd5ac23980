import type { EpisodeEnd } from '../contracts/episode.ts'
import type { PassageKind } from '../contracts/transcript-search.ts'

/** A piece of a transcript that is found as one. */
export interface Passage {
  kind: PassageKind
  /** Null where the episode has no tree. */
  node: number | null
  /** Who was asked; null for observations. */
  role: string | null
  finish_reason: string | null
  text: string
}

/** An ended episode as it is indexed. */
export interface IndexedEpisode {
  /** Its position in the run. */
  index: number
  /** Another once it has ended anew. */
  version: string
  task: string
  outcome: EpisodeEnd
  reward: number | null
  success: boolean | null
  /** It has more text than is indexed. */
  is_cut: boolean
}

/** With its passages in their order. */
export interface EpisodePassages extends IndexedEpisode {
  passages: Passage[]
}
