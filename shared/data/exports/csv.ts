import { stringify } from 'csv-stringify/sync'

/** The byte-order mark: without it Excel reads UTF-8 as the code page of its country. */
const byteOrderMark = '\uFEFF'

/** Control characters but tab and line ends. Readers stop at NUL, and spreadsheets refuse or drop the others. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are the characters to replace
const unreadable = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/g

/** Beginnings that a spreadsheet runs as a formula, in their full-width forms too. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

const cast = {
  boolean: (value: boolean) => String(value),
  string: (text: string) => {
    const clean = text.toWellFormed().replace(unreadable, '\uFFFD')
    return formula.test(clean) ? `'${clean}` : clean
  },
}

// The package quotes only texts with its own line end.
const format = { record_delimiter: 'windows', quoted_match: /[\r\n]/, cast } as const

export function csvHeading(columns: readonly string[]): string {
  return `${byteOrderMark}${stringify([[...columns]], format)}`
}

/**
 * Further lines of a CSV file (RFC 4180). Numbers keep all their digits and null is empty. U+FFFD replaces control
 * characters and lone surrogates. A text that a spreadsheet would run as a formula gets an apostrophe.
 */
export function csvLines(rows: readonly object[], columns: readonly string[]): string {
  return rows.length === 0 ? '' : stringify([...rows], { ...format, columns: [...columns] })
}

export function toCsv(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {})
  return columns.length === 0 ? byteOrderMark : `${csvHeading(columns)}${csvLines(rows, columns)}`
}

export function withoutMark(csv: string): string {
  return csv.startsWith(byteOrderMark) ? csv.slice(1) : csv
}
