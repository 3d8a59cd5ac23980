import {
  type Episode,
  type EpisodeEnd,
  type EpisodeError,
  type EpisodeResult,
  episodeId,
} from '../../contracts/episode.ts'
import type { GroupSettings } from '../../contracts/group-settings.ts'
import type { JsonObject } from '../../contracts/json.ts'
import type { LastProblem } from '../../contracts/model-failure.ts'
import type { RunRequest } from '../../contracts/run.ts'
import { type LearnedParts, nothingLearned } from '../memories/publish-learned.ts'
import type { EpisodePlace } from '../runs/run-definition.ts'
import { unusableAnswers } from './episode-program.ts'

export type EpisodeRow = {
  index: number
  status: 'queued' | 'running' | EpisodeEnd
  generation: number
  attempt: number
  /** The code that started the attempt from zero because an earlier journal did not fit it; null for the first. */
  restarted_by: string | null
  /** The code whose live workers alone play it: others could not continue its journal. Absent and null: any code. */
  stays_with?: string | null
  worker: string | null
  starts: number
  idle_starts: number
  segments: number
  errors: number
  last_error: string | null
  last_problem?: LastProblem | null
  policy?: { version: string; model: JsonObject }
  /** The worker that claimed it to play it alone, and has not left it in good order; absent and null: none. */
  alone_with?: string | null
  /** Workers that died while they played it alone, since its last progress; absent: none. */
  deaths?: EpisodeDeath[]
  /** The number of waits because of too many deaths; absent: never. See {@link settleDeaths}. */
  death_waits?: number
  /** Consecutive turns in which a deadline cut off its calls without progress; absent: never. */
  cut_turns?: number
  storage_waits?: number
  /** The lasting error that prevented its last play; absent and null: none. */
  unplayable?: string | null
  result: EpisodeResult | null
  /** The objects of the result; absent in rows of earlier versions: the first generation, and the whole journal. */
  ended?: EpisodeEnding | null
  held?: boolean
  /**
   * The output of its last end for others. Absent in rows of earlier versions: use the objects under the episode's
   * name.
   */
  learned?: LearnedParts
}

export type EpisodeDeath = { worker: string; at: string; evidence: string }

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

export function policyOf(
  { version }: Pick<GroupSettings, 'version'>,
  { model }: Pick<RunRequest, 'model'>,
): NonNullable<EpisodeRow['policy']> {
  return { version, model: JSON.parse(JSON.stringify(model)) as JsonObject }
}

export function requestOfEpisode(request: RunRequest, row: Pick<EpisodeRow, 'policy'> | null): RunRequest {
  return row?.policy === undefined
    ? request
    : { ...request, model: row.policy.model as unknown as RunRequest['model'] }
}

export function hasEnded({ status }: Pick<EpisodeRow, 'status'>): boolean {
  return status !== 'queued' && status !== 'running'
}

export function showsEnd(row: EpisodeRow): row is EpisodeRow & { result: EpisodeResult } {
  return row.result !== null && (hasEnded(row) || row.result.status !== 'errored')
}

export function endIfCancelled({ result }: Pick<EpisodeRow, 'result'>): EpisodeEnd {
  return result?.status ?? 'cancelled'
}

/**
 * True if a retried episode ended with this error before, at no effect: its journal then holds the answers that lead
 * to the error each time.
 */
export function isInJournal({ last_error, result }: EpisodeRow, { effect, message }: EpisodeError): boolean {
  return effect === null && last_error === null && result?.error?.message === message
}

export function endedUnusable({ last_error, result }: EpisodeRow): boolean {
  return last_error === null && result?.error?.name === unusableAnswers
}

export function toEpisode(
  run: string,
  place: EpisodePlace,
  row: Pick<EpisodeRow, 'status' | 'starts' | 'errors' | 'result' | 'last_problem' | 'policy'>,
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
    ...(row.policy !== undefined && { policy: row.policy.version }),
    status,
    starts,
    errors,
    last_problem,
    result,
  }
}

function newFigures({
  path_length,
}: EpisodeResult): Pick<EpisodeResult, 'primitive_steps' | 'invalid_actions' | 'unparsable'> {
  return { primitive_steps: path_length, invalid_actions: null, unparsable: 0 }
}
