import { stringify } from 'csv-stringify/sync'

/**
 * Rows as CSV (RFC 4180) with a heading. Numbers have all their digits, what is unknown is empty, and a text that a
 * spreadsheet would take for a formula begins with an apostrophe.
 */
export function toCsv(rows: readonly object[]): string {
  return stringify([...rows], { header: true, escape_formulas: true, record_delimiter: 'windows' })
}
