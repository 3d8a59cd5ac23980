import type { EpisodeEnd } from '../../core/contracts/episode.ts'
import type { PassageKind } from '../../core/contracts/transcript-search.ts'

export interface Passage {
  kind: PassageKind
  node: number | null
  /** The model's role; null for observations. */
  role: string | null
  finish_reason: string | null
  text: string
}

export interface IndexedEpisode {
  index: number
  version: string
  task: string
  outcome: EpisodeEnd
  reward: number | null
  success: boolean | null
  is_cut: boolean
}

export interface EpisodePassages extends IndexedEpisode {
  passages: Passage[]
}
