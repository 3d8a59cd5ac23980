import type { Estimate } from '../../../core/contracts/report.ts'

const unknown = '–'

export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const cells = [header, ...rows].map((row) =>
    row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')),
  )
  const widths = header.map((_, column) => Math.max(3, ...cells.map((row) => (row[column] ?? '').length)))
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  const [first = [], ...others] = cells
  return [line(first), line(rule), ...others.map(line)]
}

export function decimal(value: number | null, digits = 3): string {
  return value === null ? unknown : value.toFixed(digits)
}

export function significant(value: number | null): string {
  return value === null ? unknown : String(Number(value.toPrecision(4)))
}

export function interval({ mean, ci }: Estimate, show: (value: number | null) => string = decimal): string {
  if (mean === null) return unknown
  return ci === null ? show(mean) : `${show(mean)} [${show(ci.lower)}, ${show(ci.upper)}]`
}
