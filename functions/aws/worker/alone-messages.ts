import type { EpisodeMessage } from '../../../shared/core/engine/episodes/episode-message.ts'

export interface PlayAlone {
  type: 'play'
  worker: string
  message: EpisodeMessage
}

export type MessageToAlone = PlayAlone | { type: 'stop' }

export type MessageFromAlone = { type: 'played' } | { type: 'failed'; error: string; isTransient: boolean }
