import type { Episode } from '../../../../shared/contracts/episode.ts'

/** Where a table of episodes has its rows from. */
export interface EpisodeRows {
  /** Rows that can be scrolled to. */
  count: number
  /** Rows that there are in all; null while that is unknown. */
  rowCount: number | null
  /** A row, where it is there already. */
  rowAt: (index: number) => Episode | undefined
  /** Called with the range of rows that can be seen. */
  onRange: (first: number, last: number) => void
  isBusy: boolean
  /** Why there are no rows at all; null where there are some, or may be. */
  error: Error | null
  /** Reads the rows again. */
  refetch: () => void
  /** What keeps the rows from going on behind the last one; null where nothing does. */
  stop: Error | null
  /** When the rows were read, where they do not follow the run; null where they do. */
  asOf: number | null
}

/** Rows, counted from 0; the last one belongs to it. */
export interface RowRange {
  first: number
  last: number
}

/** Episodes that are asked for together. */
export const pageSize = 100

export function pageOf(row: number): number {
  return Math.floor(row / pageSize)
}

/** The pages that rows are on. */
export function pagesIn({ first, last }: RowRange): number[] {
  const start = pageOf(first)
  return Array.from({ length: pageOf(last) - start + 1 }, (_, offset) => start + offset)
}
