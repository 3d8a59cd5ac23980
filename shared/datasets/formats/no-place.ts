import type { DatasetFormatId } from '../../contracts/dataset.ts'
import type { RowType } from '../../contracts/dataset-row.ts'

/** For a row whose kind the format does not list: a request for it is refused before any row is made. */
export function noPlace(format: DatasetFormatId, type: RowType): Error {
  return new Error(`The format "${format}" has no place for rows of the type "${type}".`)
}
