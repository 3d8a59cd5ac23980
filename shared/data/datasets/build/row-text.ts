import type { JsonObject } from '../../../core/contracts/json.ts'
import { wellFormed } from '../../../core/contracts/well-formed.ts'
import { type DatasetFormat, type RowFacts, UnfitRowError } from '../../formats/trainer-format.ts'
import type { FoundRow } from '../kind.ts'

/**
 * A row as JSON that every loader accepts. Half of a surrogate pair, as after a cut within an emoji, becomes U+FFFD,
 * as in any UTF-8 text: `datasets.load_dataset` (5.2.0) refuses a whole file for one.
 */
export function rowText(row: JsonObject): string {
  const text = JSON.stringify(row)
  // Whole pairs are written unchanged, so this rarely matches, and then mostly because of the row's own backslash.
  return text.includes('\\ud') ? JSON.stringify(wellFormed(row)) : text
}

export function writeRow(
  format: DatasetFormat,
  { row }: FoundRow,
  facts: RowFacts,
): { text: string; unfit: string | null } {
  try {
    return { text: rowText(format.write(row, facts)), unfit: null }
  } catch (error) {
    if (!(error instanceof UnfitRowError)) throw error
    return { text: '', unfit: error.message }
  }
}
