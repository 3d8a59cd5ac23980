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
