import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { failureCode, storageError } from './storage-error.ts'

const busy = 'SQLITE_5'

/** Longer than a check of the lock by `isFolderLocked`, which must not turn away an opener. Milliseconds. */
const patience = 250

const pathIn = (folder: string): string => join(folder, 'lock.db')

export interface FolderLock {
  release(): void
}

/**
 * Locks a data folder for this process: an open exclusive transaction on an empty SQLite file, which the operating
 * system releases however the process dies.
 * @returns null if another process, or another world of this one, holds the folder
 */
export function lockFolder(folder: string): FolderLock | null {
  const path = pathIn(folder)
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(path, { timeout: patience })
    sqlite.exec('begin exclusive')
  } catch (error) {
    sqlite?.close()
    if (failureCode(error) === busy) return null
    throw storageError(error, 'lock', path)
  }
  const held = sqlite
  return { release: () => held.close() }
}

export function isFolderLocked(folder: string): boolean {
  const path = pathIn(folder)
  if (!existsSync(path)) return false
  let sqlite: DatabaseSync | undefined
  try {
    sqlite = new DatabaseSync(path, { readOnly: true, timeout: 0 })
    sqlite.prepare('select count(*) from sqlite_schema').get()
    return false
  } catch (error) {
    if (failureCode(error) === busy) return true
    throw storageError(error, 'look at', path)
  } finally {
    sqlite?.close()
  }
}
