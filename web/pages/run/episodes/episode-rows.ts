import type { Episode } from '../../../../shared/contracts/episode.ts'

/** The source of a table's rows. */
export interface EpisodeRows {
  /** Rows in the scroll range. */
  count: number
  /** Rows in total; null if unknown. */
  rowCount: number | null
  /** Returns a row if it is loaded. */
  rowAt: (index: number) => Episode | undefined
  /** Receives the range of visible rows. */
  onRange: (first: number, last: number) => void
  isBusy: boolean
  /** The error if no rows could be loaded at all; null otherwise. */
  error: Error | null
  refetch: () => void
  /** The error that stops loading after the last row; null otherwise. */
  stop: Error | null
  /** The time of the read if the rows do not follow the run; null if they do. */
  asOf: number | null
}

/** A range of rows, counted from 0 and including the last. */
export interface RowRange {
  first: number
  last: number
}

/** Episodes per request. */
export const pageSize = 100

export function pageOf(row: number): number {
  return Math.floor(row / pageSize)
}

export function pagesIn({ first, last }: RowRange): number[] {
  const start = pageOf(first)
  return Array.from({ length: pageOf(last) - start + 1 }, (_, offset) => start + offset)
}
