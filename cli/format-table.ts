import { pad, toLine, truncate, widthOf } from './fit-text.ts'

export interface Column {
  header: string
  align?: 'left' | 'right'
  /** The first column to lose text where the table is too wide. Without one, the last left-aligned column is cut. */
  flexible?: boolean
}

const gap = '  '

/** An aligned table whose lines are never wider than the given width. */
export function formatTable(columns: Column[], rows: string[][], width: number): string[] {
  const cells = [columns.map((column) => column.header), ...rows.map((row) => row.map(toLine))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index] ?? ''))))
  shrink(columns, widths, width)
  return cells.map((row) =>
    truncate(
      columns
        .map(({ align }, index) => {
          const columnWidth = widths[index] ?? 0
          return pad(
            truncate(row[index] ?? '', columnWidth),
            columnWidth,
            align === 'right' ? 'left' : 'right',
          )
        })
        .join(gap)
        .trimEnd(),
      width,
    ),
  )
}

function shrink(columns: Column[], widths: number[], width: number): void {
  const total = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1))
  const named = columns.findIndex((column) => column.flexible)
  const index = named === -1 ? columns.findLastIndex((column) => column.align !== 'right') : named
  const current = widths[index]
  if (total <= width || current === undefined) return
  widths[index] = Math.max(8, current - (total - width))
}
