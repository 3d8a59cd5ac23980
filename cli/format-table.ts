import { cutText, fold, pad, toLine, truncate, widthOf } from './fit-text.ts'

export interface Column {
  header: string
  align?: 'left' | 'right'
  /**
   * Columns that shrink if the table is too wide. `true` cuts prose with an ellipsis. `wrap` continues on the next
   * line, for cells with names and numbers. Every other column keeps its width, even in a line wider than the
   * terminal.
   */
  flexible?: boolean | 'wrap'
  group?: string
}

const gap = '  '
const leastWidth = 8

export function formatTable(columns: Column[], rows: string[][], width: number): string[] {
  const cells = [columns.map((column) => column.header), ...rows.map((row) => row.map(toLine))]
  const widths = columns.map((_, index) => Math.max(...cells.map((row) => widthOf(row[index] ?? ''))))
  shrink(columns, widths, width)
  const lines = cells.flatMap((row) => {
    const parts = columns.map(({ flexible }, index) => {
      const text = row[index] ?? ''
      const room = widths[index] ?? 0
      if (widthOf(text) <= room) return [text]
      return flexible === 'wrap' ? fold(text, room) : [cutText(text, room)]
    })
    const height = Math.max(...parts.map((part) => part.length))
    return Array.from({ length: height }, (_, line) =>
      columns
        .map(({ align }, index) =>
          pad(parts[index]?.[line] ?? '', widths[index] ?? 0, align === 'right' ? 'left' : 'right'),
        )
        .join(gap)
        .trimEnd(),
    )
  })
  return [...groupLine(columns, widths), ...lines]
}

function groupLine(columns: Column[], widths: number[]): string[] {
  if (columns.every(({ group }) => group === undefined)) return []
  const parts: { group: string | undefined; width: number }[] = []
  for (const [index, { group }] of columns.entries()) {
    const last = parts.at(-1)
    const own = widths[index] ?? 0
    if (last && group !== undefined && last.group === group) last.width += gap.length + own
    else parts.push({ group, width: own })
  }
  return [
    parts
      .map((part) => centre(truncate(part.group ?? '', part.width), part.width))
      .join(gap)
      .trimEnd(),
  ]
}

function centre(text: string, width: number): string {
  const room = Math.max(0, width - widthOf(text))
  return pad(pad(text, widthOf(text) + Math.floor(room / 2), 'left'), width)
}

function shrink(columns: Column[], widths: number[], width: number): void {
  let over = widths.reduce((sum, each) => sum + each, gap.length * (columns.length - 1)) - width
  for (const [index, { flexible }] of columns.entries()) {
    const current = widths[index] ?? 0
    if (!flexible || over <= 0) continue
    const left = Math.min(current, Math.max(leastWidth, current - over))
    widths[index] = left
    over -= current - left
  }
}
