import type { EpisodeResult } from '../contracts/episode.ts'
import type { RunRequest } from '../contracts/run.ts'
import type { EffectScope } from './effect-scope.ts'
import type { ClaimedEpisode } from './episodes/conclude-episode.ts'
import type { JournalRecord } from './journal-record.ts'
import type { RunRow } from './runs/run-row.ts'

export interface ObservedEpisode {
  run: string
  index: number
  task: string
  epoch: number
  generation: number
  attempt: number
  request: RunRequest
  /** The start of play, in milliseconds: from its journal if an earlier worker began it. */
  began: number
}

export interface TurnObserver {
  scope(scope: EffectScope): EffectScope
  /** Called with newly committed records, after the commit; never with records the journal held before. */
  committed(records: readonly JournalRecord[]): void
}

/**
 * Observes events in this process and changes nothing. Replayed answers are not reported, so each event is observed
 * once, or not at all if the process is killed first.
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
