import { pad, toLine, truncate, widthOf } from './fit-text.ts'

export interface Column {
  header: string
  align?: 'left' | 'right'
  /** The first column to lose text where the table is too wide. Without one, the last left-aligned column is cut. */
  flexible?: boolean
  /** What this column and its neighbours of the same group have in common, such as `mean per episode`: a line above them. */
  group?: string
}

const gap = '  '

/** An aligned table whose lines are never wider than the given width. */
export function formatTable(columns: Column[], rows: string[][], width: number): string[] {
  const cells = [columns.map((column) => column.header), ...rows.map((row) => row.map(toLine))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index] ?? ''))))
  shrink(columns, widths, width)
  const lines = cells.map((row) =>
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
  return [...groupLine(columns, widths, width), ...lines]
}

/** The names of the groups over their columns, in the middle of each; nothing where no column has one. */
function groupLine(columns: Column[], widths: number[], width: number): string[] {
  if (columns.every(({ group }) => group === undefined)) return []
  const parts: { group: string | undefined; width: number }[] = []
  for (const [index, { group }] of columns.entries()) {
    const last = parts.at(-1)
    const own = widths[index] ?? 0
    if (last && group !== undefined && last.group === group) last.width += gap.length + own
    else parts.push({ group, width: own })
  }
  const line = parts.map((part) => centre(truncate(part.group ?? '', part.width), part.width)).join(gap)
  return [truncate(line.trimEnd(), width)]
}

function centre(text: string, width: number): string {
  const room = Math.max(0, width - widthOf(text))
  return pad(pad(text, widthOf(text) + Math.floor(room / 2), 'left'), width)
}

function shrink(columns: Column[], widths: number[], width: number): void {
  const total = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1))
  const named = columns.findIndex((column) => column.flexible)
  const index = named === -1 ? columns.findLastIndex((column) => column.align !== 'right') : named
  const current = widths[index]
  if (total <= width || current === undefined) return
  widths[index] = Math.max(8, current - (total - width))
}
