import { EspalierError } from '../../contracts/errors.ts'

const full = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'SQLITE_13'])
const forbidden = new Set(['EACCES', 'EPERM', 'EROFS', 'SQLITE_3', 'SQLITE_8', 'SQLITE_14'])
const damaged = new Set(['SQLITE_11', 'SQLITE_26'])
const notAFolder = new Set(['ENOTDIR', 'EEXIST'])

/**
 * Turns a failure of the file system or of SQLite into a user's error: the failed operation, the path, the reason and
 * the way out. Errors that already address the user, and bugs, stay unchanged.
 * @param doing the operation, to follow "Could not", such as `write to`
 */
export function storageError(error: unknown, doing: string, path: string): unknown {
  if (EspalierError.isInstance(error) || !(error instanceof Error)) return error
  const code = failureCode(error)
  if (code === null) return error
  if (isDamaged(error) && doing !== 'open') {
    const message = `Could not ${doing} ${path}: ${error.message}. ${wayOut(code, path)}`
    return new EspalierError('damaged_object', message, { cause: error })
  }
  return new EspalierError(
    'storage_failed',
    `Could not ${doing} ${path}: ${error.message}. ${wayOut(code, path)}`,
    { cause: error },
  )
}

export function isDamaged(error: unknown): boolean {
  return damaged.has(failureCode(error) ?? '')
}

export function failureCode(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if ('errcode' in error && typeof error.errcode === 'number') return `SQLITE_${error.errcode & 0xff}`
  if (!('code' in error) || typeof error.code !== 'string') return null
  // A number in a row that is larger than any stored number.
  if (error.code === 'ERR_OUT_OF_RANGE') return 'SQLITE_11'
  return 'syscall' in error ? error.code : null
}

function wayOut(code: string, path: string): string {
  if (full.has(code)) return 'The disk is full: free some space and try again; nothing was half written.'
  if (forbidden.has(code)) return 'Give this user the right to write there, or choose another data folder.'
  if (damaged.has(code))
    return 'The file is damaged: restore it from a backup, or choose another data folder.'
  if (notAFolder.has(code)) return 'A part of this path is a file: choose another data folder.'
  return `Check the disk that holds ${path}, then try again; nothing was half written.`
}
