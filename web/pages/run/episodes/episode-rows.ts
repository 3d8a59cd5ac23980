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
  /** Since when the rows are as they are, where they do not follow the run by themselves; null where they do. */
  asOf: number | null
}
