import { answerWarnings } from '../../contracts/answer-warnings.ts'
import type { AnswerCounts } from '../../contracts/answers.ts'
import type { EndpointWarning } from '../../contracts/endpoint-warning.ts'
import type { EpisodeEnd } from '../../contracts/episode.ts'
import type { LastProblem } from '../../contracts/model-failure.ts'
import { nanoPerDollar } from '../../contracts/money.ts'
import type { Provenance } from '../../contracts/provenance.ts'
import type { EpisodeCounts, Run, RunStatus } from '../../contracts/run.ts'
import { tokenDetails } from '../../contracts/usage.ts'
import type { LedgerItem } from '../../world/ports.ts'
import { type Labels, shownLabels, toLabels } from '../labels/labels.ts'
import { libraryIdOf, memoryIdOf } from '../memories/learned-id.ts'
import type { SpendingRow } from '../spending/spending-row.ts'
import type { EarlierEnds } from './earlier-ends.ts'
import { passportOf } from './passport-of.ts'
import { type CountedAt, type Moment, ranFor } from './run-clock.ts'
import type { Learned, RunPurpose, RunSettings } from './run-planner.ts'

/**
 * A run's item in the ledger: all of its state that changes while it runs. Times are milliseconds since the epoch.
 */
export type RunRow = {
  id: string
  tenant: string
  status: RunStatus
  reason: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
  running_since: number | null
  running_milliseconds: number
  /** The time up to which the running period is counted; absent and null: up to `running_since`. */
  counted_at?: CountedAt | null
  /** The number of the last event; goes up with every change of the fields below down to `cap_time`. */
  sequence: number
  /** The number of changes of limits or budget, and the edition of the definition valid since then. */
  revision: number
  edition: string
  max_parallel: number
  total: number
  learning: number
  learned: number
  round_size: number | null
  writes: Learned[]
  live: boolean
  purpose: RunPurpose
  generation: number
  work: 'all' | 'listed'
  work_total: number
  cursor: number
  done: number
  /** Marked to be cancelled once no episode of it can end any longer; absent: it is not. */
  cancelling?: boolean
  /**
   * Ends from before this generation, valid until its own; absent in the first, and if an earlier version began it.
   */
  earlier?: EarlierEnds
  cap_cost: number | null
  cap_tokens: number | null
  cap_time: number | null
  /** The answers of ended episodes, as far as counted; null if none were. */
  answers: AnswerCounts | null
  answers_checked: boolean
  priced: boolean
  provenance: Provenance | null
  /**
   * The amounts workers hold of the caps, in runs of earlier versions. Absent: a separate item holds them, see
   * `ledgerKeys.leases`, so that leasing does not contend with counting ends.
   */
  leased_cost?: number
  leased_tokens?: number
  labels?: Labels
  labels_revision?: number
  /**
   * The idempotency key of its creation, so that it is deleted with the run; absent if there is none, and in runs of
   * earlier versions.
   */
  idempotency_key?: string
  deleting?: boolean
  preflight: 'passed' | null
  last_problem: LastProblem | null
  warnings?: EndpointWarning[]
} & Record<EpisodeEnd, number>

export function toRunRow(item: LedgerItem): RunRow {
  return {
    learning: 0,
    learned: 0,
    round_size: null,
    writes: [],
    live: false,
    purpose: 'play',
    preflight: 'passed',
    last_problem: null,
    provenance: null,
    answers: null,
    answers_checked: false,
    ...(item as Partial<RunRow>),
  } as RunRow
}

export function isFinal(status: RunStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}

export function isOver({ cancelling, status }: Pick<RunRow, 'cancelling' | 'status'>): boolean {
  return cancelling === true || isFinal(status)
}

export function countEpisodes(row: RunRow): EpisodeCounts {
  const { total, succeeded, failed, limited, errored, cancelled } = row
  const ended = succeeded + failed + limited + errored + cancelled
  const active = isFinal(row.status) ? 0 : Math.max(0, row.cursor - row.done)
  return { total, waiting: total - ended - active, active, succeeded, failed, limited, errored, cancelled }
}

export function toRun(
  row: RunRow,
  { request, resolved, rollout, provenance }: RunSettings & { provenance: Provenance },
  spending: SpendingRow,
  at: Moment,
): Run {
  const labels = labelsOfRun(row, request)
  const { name: _, experiment: __, tags: ___, note: ____, ...rest } = request
  const { archived_at: _____, ...shown } = shownLabels(labels)
  return {
    id: row.id,
    object: 'run',
    status: row.status,
    status_reason: row.reason,
    last_problem: isFinal(row.status) ? null : row.last_problem,
    created_at: new Date(row.created_at).toISOString(),
    started_at: toTime(row.started_at),
    ended_at: toTime(row.ended_at),
    running_seconds: Math.round(ranFor(row, at) / 100) / 10,
    episodes: countEpisodes(row),
    usage: {
      model_calls: spending.model_calls,
      input_tokens: spending.input_tokens,
      ...tokenDetails(spending),
      output_tokens: spending.output_tokens,
      cost: row.priced ? spending.spent_cost / nanoPerDollar : null,
    },
    lost_calls: spending.lost_calls,
    ...(spending.bound_calls > 0 && {
      bounds: {
        model_calls: spending.bound_calls,
        tokens: spending.bound_tokens,
        cost: row.priced ? spending.bound_cost / nanoPerDollar : null,
      },
    }),
    ...(row.answers !== null && { answers: row.answers }),
    answer_warnings: answerWarnings(row.answers, request),
    ...(row.warnings !== undefined && { warnings: row.warnings }),
    learning_episodes: row.learning,
    memory: row.writes.includes('memory') ? memoryIdOf(row.id) : null,
    library: row.writes.includes('library') ? libraryIdOf(row.id) : null,
    live: row.live,
    provenance,
    ...(rollout && { rollout }),
    ...(row.purpose === 'play' && { passport: passportOf({ request, resolved }) }),
    ...(labels.archived_at !== null && { archived_at: labels.archived_at }),
    request: { ...rest, ...shown, ...(labels.name !== null && { name: labels.name }) } as Run['request'],
    ...(resolved && { resolved }),
  }
}

export function labelsOfRun(row: Pick<RunRow, 'labels'>, request: RunSettings['request']): Labels {
  return row.labels ?? toLabels(request)
}

function toTime(milliseconds: number | null): string | null {
  return milliseconds === null ? null : new Date(milliseconds).toISOString()
}
