import { EspalierError } from '../../core/contracts/errors.ts'

export function missingFile(key: string): EspalierError {
  return new EspalierError('storage_failed', `The file ${key} is missing. Build the dataset again.`)
}

export function missingRows(key: string, row: number): EspalierError {
  return new EspalierError(
    'storage_failed',
    `The file ${key} ends before its row ${row}. Build the dataset again.`,
  )
}
