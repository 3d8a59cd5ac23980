import { EspalierError } from '../contracts/errors.ts'

/** For a file of a dataset that should be there. */
export function missingFile(key: string): EspalierError {
  return new EspalierError('storage_failed', `The file ${key} is missing. Build the dataset again.`)
}

/** For a file of a dataset that has fewer rows than are known to be in it. */
export function missingRows(key: string, row: number): EspalierError {
  return new EspalierError(
    'storage_failed',
    `The file ${key} ends before its row ${row}. Build the dataset again.`,
  )
}
