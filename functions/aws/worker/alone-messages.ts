import type { EpisodeMessage } from '../../../shared/engine/episodes/episode-message.ts'

/** A worker's message to the process of an episode that runs alone, and that process's reply. */
export interface PlayAlone {
  type: 'play'
  worker: string
  message: EpisodeMessage
}

export type MessageToAlone = PlayAlone | { type: 'stop' }

export type MessageFromAlone = { type: 'played' } | { type: 'failed'; error: string; isTransient: boolean }
