import type { EpisodeMessage } from '../../../shared/engine/episodes/episode-message.ts'

/** What a worker sends to the process of an episode that is played alone, and what that answers. */
export interface PlayAlone {
  type: 'play'
  /** The name of the worker that it is, in the ledger. */
  worker: string
  message: EpisodeMessage
}

export type MessageToAlone = PlayAlone | { type: 'stop' }

export type MessageFromAlone = { type: 'played' } | { type: 'failed'; error: string; isTransient: boolean }
