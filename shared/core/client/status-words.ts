import type { Dataset } from '../contracts/dataset.ts'
import type { EpisodePurpose, EpisodeResult, EpisodeStatus } from '../contracts/episode.ts'
import type { LoopStage, LoopStatus } from '../contracts/loop.ts'
import type { RunStatus } from '../contracts/run.ts'
import type { TrainingStatus } from '../contracts/training.ts'

export type WorkStatus = RunStatus | LoopStatus | LoopStage['status'] | TrainingStatus | Dataset['status']

/** The API's `succeeded` means that a run played all episodes, even if it solved none. */
const workWords = {
  queued: 'queued',
  running: 'running',
  paused: 'paused',
  succeeded: 'completed',
  failed: 'failed',
  cancelled: 'cancelled',
} as const satisfies Record<WorkStatus, string>

const episodeWords = {
  queued: 'queued',
  running: 'running',
  succeeded: 'solved',
  failed: 'not solved',
  limited: 'out of steps or budget',
  errored: 'ended with an error',
  cancelled: 'cancelled',
} as const satisfies Record<EpisodeStatus, string>

const limitWords = {
  steps: 'out of steps',
  turns: 'out of turns',
  tokens: 'out of tokens',
  cost: 'out of money',
  time: 'out of time',
} as const

type WorkWord = (typeof workWords)[WorkStatus]

export type EpisodeWord =
  | (typeof episodeWords)[EpisodeStatus]
  | (typeof limitWords)[keyof typeof limitWords]
  | 'completed'

export type StatusWord = WorkWord | EpisodeWord

export function workWord(status: WorkStatus): WorkWord {
  return workWords[status]
}

export function episodeStatusWord(status: EpisodeStatus, purpose: EpisodePurpose = 'play'): EpisodeWord {
  return status === 'succeeded' && purpose !== 'play' ? 'completed' : episodeWords[status]
}

export function episodeEndWord(
  { limit, status }: { status: EpisodeStatus; limit: EpisodeResult['limit'] },
  purpose: EpisodePurpose = 'play',
): EpisodeWord {
  const isKnown = status === 'limited' && limit !== null && Object.hasOwn(limitWords, limit)
  return isKnown ? limitWords[limit as keyof typeof limitWords] : episodeStatusWord(status, purpose)
}
