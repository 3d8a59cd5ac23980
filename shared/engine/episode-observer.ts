import type { EpisodeResult } from '../contracts/episode.ts'
import type { RunRequest } from '../contracts/run.ts'
import type { EffectScope } from './effect-scope.ts'
import type { ClaimedEpisode } from './episodes/conclude-episode.ts'
import type { JournalRecord } from './journal-record.ts'
import type { RunRow } from './runs/run-row.ts'

/** An episode as an observer sees it. */
export interface ObservedEpisode {
  run: string
  index: number
  task: string
  epoch: number
  /** Goes up when the run's ended episodes are played again. */
  generation: number
  attempt: number
  request: RunRequest
  /** When it began to be played, in milliseconds: by its journal, where an earlier worker began. */
  began: number
}

/** Observes one worker's turn with an episode. */
export interface TurnObserver {
  /** The scope that the episode's function gets in place of this one: it must do the same. */
  scope(scope: EffectScope): EffectScope
  /** Called with what was committed, once it was: never with what the journal held before. */
  committed(records: readonly JournalRecord[]): void
}

/**
 * Is called with what happens in this process, and changes nothing. It is not called with what a replay is answered, so each thing is
 * observed once, or not at all where the process is killed first.
 */
export interface EpisodeObserver {
  turn(episode: ObservedEpisode): TurnObserver
  ended(episode: ObservedEpisode, result: EpisodeResult): void
  runEnded(row: RunRow): void
}

export function observed({ run, place, row, definition, journal, takenAt }: ClaimedEpisode): ObservedEpisode {
  const { index, task, epoch } = place
  const first = journal.committed.records.find((record) => 'segment' in record)
  const began = first === undefined ? takenAt : Date.parse(first.at) - first.elapsed * 1000
  const { generation, attempt } = row
  return { run, index, task, epoch, generation, attempt, request: definition.request, began }
}
