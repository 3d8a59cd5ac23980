import {
  type Episode,
  type EpisodeEnd,
  type EpisodeError,
  type EpisodeResult,
  episodeId,
} from '../../contracts/episode.ts'
import type { LastProblem } from '../../contracts/model-failure.ts'
import { type LearnedParts, nothingLearned } from '../memories/publish-learned.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'
import { unusableAnswers } from './episode-program.ts'

/** An episode's item in the ledger. */
export type EpisodeRow = {
  index: number
  status: 'queued' | 'running' | EpisodeEnd
  /** The generation of the run that it was last queued in. */
  generation: number
  /** Which journal is valid. */
  attempt: number
  /** The code that started the attempt afresh because an earlier journal did not fit it; null for the first. */
  restarted_by: string | null
  /** Who plays it. */
  worker: string | null
  /** How often it was taken up, and how often since it last got further. */
  starts: number
  idle_starts: number
  /** Segments of the journal when it was last taken up. */
  segments: number
  /** How often it failed, and with what last. */
  errors: number
  last_error: string | null
  /** What keeps its calls from being answered; absent in rows of earlier versions, and where there was none. */
  last_problem?: LastProblem | null
  /** The worker that took it up to play it alone, and has not left it in good order; absent and null: none. */
  alone_with?: string | null
  /** The workers that died while they played it alone, since it last got further; absent: none. */
  deaths?: EpisodeDeath[]
  /** How often it was left for a while because so many had died; absent: never. See {@link settleDeaths}. */
  death_waits?: number
  /** How often in a row a deadline cut off its calls before it got further; absent: never. */
  cut_turns?: number
  /** How often in a row it waited for its storage to recover; absent: never. */
  storage_waits?: number
  /** The lasting error that kept it from being played when it was last taken; absent and null: none. */
  unplayable?: string | null
  /** Of its last end, also while it is played again. */
  result: EpisodeResult | null
  /** What belongs to the result; absent in rows of earlier versions: the first generation, and the whole journal. */
  ended?: EpisodeEnding | null
  /** The run was paused for it once, see {@link holdRound}; absent: it was not. */
  held?: boolean
  /** What its last end left for others. Absent from rows of earlier versions: what lies under the episode's name. */
  learned?: LearnedParts
}

/** A worker that died while it played an episode and nothing else. */
export type EpisodeDeath = { worker: string; at: string; evidence: string }

/** Where the tree and the trajectory of a result lie, and how many segments of its attempt's journal it was made of. */
export type EpisodeEnding = { generation: number; segments: number | null }

export function newEpisodeRow(index: number, generation: number): EpisodeRow {
  return {
    index,
    status: 'queued',
    generation,
    attempt: 1,
    restarted_by: null,
    worker: null,
    starts: 0,
    idle_starts: 0,
    segments: 0,
    errors: 0,
    last_error: null,
    result: null,
    learned: nothingLearned,
  }
}

/** Whether it has ended in the generation it was last queued in. */
export function hasEnded(row: EpisodeRow): boolean {
  return row.status !== 'queued' && row.status !== 'running'
}

/**
 * Whether what can be read of an episode is its last end: also while it is played again, until that comes to an end of its
 * own. An error is no end to look at any longer once it is tried again.
 */
export function showsEnd(row: EpisodeRow): row is EpisodeRow & { result: EpisodeResult } {
  return row.result !== null && (hasEnded(row) || row.result.status !== 'errored')
}

/** How an episode stands whose run was cancelled while it was queued or played: as it had ended before, if it had. */
export function endIfCancelled({ result }: Pick<EpisodeRow, 'result'>): EpisodeEnd {
  return result?.status ?? 'cancelled'
}

/**
 * Whether an episode that was asked for again ended with this error before, at no effect: then the answers that led to it stand
 * in its journal, and lead to it each time.
 */
export function isInJournal({ last_error, result }: EpisodeRow, { effect, message }: EpisodeError): boolean {
  return effect === null && last_error === null && result?.error?.message === message
}

/** Whether an episode that was asked for again ended before because all its answers, which its journal holds, were of no use. */
export function endedUnusable({ last_error, result }: EpisodeRow): boolean {
  return last_error === null && result?.error?.name === unusableAnswers
}

/** An episode as the API shows it. */
export function toEpisode(
  run: string,
  place: EpisodePlace,
  row: Pick<EpisodeRow, 'status' | 'starts' | 'errors' | 'result' | 'last_problem'>,
): Episode {
  const { status, starts, errors } = row
  const { index, task, epoch, purpose } = place
  const result = row.result && { ...newFigures(row.result), ...row.result }
  const id = episodeId(index)
  const last_problem = status === 'queued' || status === 'running' ? (row.last_problem ?? null) : null
  return {
    id,
    object: 'episode',
    run,
    index,
    task,
    epoch,
    purpose,
    status,
    starts,
    errors,
    last_problem,
    result,
  }
}

/** What results of earlier versions lack. */
function newFigures({
  path_length,
}: EpisodeResult): Pick<EpisodeResult, 'primitive_steps' | 'invalid_actions' | 'unparsable'> {
  return { primitive_steps: path_length, invalid_actions: null, unparsable: 0 }
}
