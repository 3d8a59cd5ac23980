import { type EndReason, endReason, endReasonSchema } from '../../contracts/end-reason.ts'
import { type Episode, type EpisodeStatus, episodeStatusSchema } from '../../contracts/episode.ts'
import type { RunRow } from '../runs/run-row.ts'
import {
  comparePositions,
  type EpisodeFigure,
  type EpisodeOrdering,
  type EpisodePosition,
  figureOf,
} from './episode-order.ts'

const figures: readonly EpisodeFigure[] = [
  'reward',
  'steps',
  'nodes',
  'model_calls',
  'tokens',
  'cost',
  'working_seconds',
]
const statuses = episodeStatusSchema.options
const reasons = endReasonSchema.options

/**
 * The statuses, reasons and figures of a run's episodes, a column each, by their index, and the orders that were requested. At
 * most 130 bytes an episode.
 */
export class EpisodeColumns {
  readonly #statuses: Uint8Array
  readonly #reasons: Uint8Array
  readonly #figures: Record<EpisodeFigure, Float64Array>
  readonly #orders = new Map<string, Uint32Array>()

  constructor(total: number) {
    this.#statuses = new Uint8Array(total)
    this.#reasons = new Uint8Array(total)
    this.#figures = Object.fromEntries(
      figures.map((figure) => [figure, new Float64Array(total).fill(Number.NaN)]),
    ) as Record<EpisodeFigure, Float64Array>
  }

  set(episode: Pick<Episode, 'index' | 'status' | 'result'>): void {
    const { index, status } = episode
    this.#statuses[index] = statuses.indexOf(status)
    const reason = endReason(episode)
    this.#reasons[index] = reason === null ? 0 : reasons.indexOf(reason) + 1
    for (const figure of figures) this.#figures[figure][index] = figureOf(episode, figure) ?? Number.NaN
  }

  status(index: number): EpisodeStatus {
    return statuses[this.#statuses[index] as number] as EpisodeStatus
  }

  reason(index: number): EndReason | null {
    return reasons[(this.#reasons[index] as number) - 1] ?? null
  }

  figure(index: number, figure: EpisodeFigure): number | null {
    const value = this.#figures[figure][index] as number
    return Number.isNaN(value) ? null : value
  }

  sorted({ sort, order }: EpisodeOrdering, position: (index: number) => EpisodePosition): Uint32Array {
    const name = `${sort} ${order}`
    const known = this.#orders.get(name)
    if (known !== undefined) return known
    const positions = Array.from(this.#statuses, (_, index) => position(index))
    positions.sort((left, right) => comparePositions(left, right, { order }))
    const made = Uint32Array.from(positions, ({ index }) => index)
    this.#orders.set(name, made)
    return made
  }
}

// Maximum episodes kept, of all runs together: at most 65 MB.
const mostKept = 500_000

const ends: ReadonlySet<RunRow['status']> = new Set(['succeeded', 'failed'])

/**
 * Caches the columns of runs that succeeded or failed, whose episodes do not change until the run is continued.
 * Concurrent requests for one share its computation.
 */
export class ColumnCache {
  readonly #kept = new Map<string, { end: string; total: number; columns: Promise<EpisodeColumns> }>()

  get(run: RunRow, read: () => Promise<EpisodeColumns>): Promise<EpisodeColumns> | null {
    const { done, ended_at, generation, id, revision, status, total } = run
    if (!ends.has(status) || total > mostKept) return null
    const end = JSON.stringify([status, ended_at, generation, revision, total, done])
    const known = this.#kept.get(id)
    this.#kept.delete(id)
    const kept = known?.end === end ? known : { end, total, columns: read() }
    this.#kept.set(id, kept)
    kept.columns.catch(() => {
      if (this.#kept.get(id) === kept) this.#kept.delete(id)
    })
    this.#forgetOldest()
    return kept.columns
  }

  #forgetOldest(): void {
    let sum = [...this.#kept.values()].reduce((all, { total }) => all + total, 0)
    for (const [id, { total }] of this.#kept) {
      if (sum <= mostKept) return
      this.#kept.delete(id)
      sum -= total
    }
  }
}
