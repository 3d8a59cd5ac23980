import type { Episode } from '../../../../shared/core/contracts/episode.ts'

export interface EpisodeRows {
  count: number
  rowCount: number | null
  rowAt: (index: number) => Episode | undefined
  onRange: (first: number, last: number) => void
  isBusy: boolean
  error: Error | null
  refetch: () => void
  /** The error that stops loading after the last row; null otherwise. */
  stop: Error | null
  /** The time of the read if the rows do not follow the run; null if they do. */
  asOf: number | null
}

export interface RowRange {
  first: number
  last: number
}

export const pageSize = 100

export function pageOf(row: number): number {
  return Math.floor(row / pageSize)
}

export function pagesIn({ first, last }: RowRange): number[] {
  const start = pageOf(first)
  return Array.from({ length: pageOf(last) - start + 1 }, (_, offset) => start + offset)
}
