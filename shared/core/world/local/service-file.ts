import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import { isFolderLocked } from './folder-lock.ts'
import { failureCode, storageError } from './storage-error.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

export interface ServiceFile {
  pid: number
  address: string | null
  word?: string
  started_at: string
}

/**
 * The service that answers for a data folder now; null if no process holds the folder, or its service does not answer
 * yet. Never the service of a process that has died.
 */
export async function readServiceFile(folder: string): Promise<(ServiceFile & { address: string }) | null> {
  if (!isFolderLocked(folder)) return null
  const file = await readLastHolder(folder)
  return file === null || file.address === null ? null : { ...file, address: file.address }
}

export async function readLastHolder(folder: string): Promise<ServiceFile | null> {
  const path = pathIn(folder)
  try {
    return parse(await readFile(path, 'utf8'), path)
  } catch (error) {
    const code = failureCode(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw storageError(error, 'read', path)
  }
}

/** Only the holder of the folder's lock may write it. */
export function writeServiceFile(folder: string, service: ServiceFile): Promise<void> {
  return writeFileAtomically(pathIn(folder), `${JSON.stringify(service)}\n`)
}

export function removeServiceFile(folder: string): Promise<void> {
  return rm(pathIn(folder), { force: true })
}

function pathIn(folder: string): string {
  return join(folder, 'service.json')
}

function parse(text: string, path: string): ServiceFile {
  const damaged = `${path} is damaged. Remove it; the next start writes a new one.`
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new EspalierError('storage_failed', damaged, { cause: error })
  }
  if (isServiceFile(value)) return value
  throw new EspalierError('storage_failed', damaged)
}

function isServiceFile(value: unknown): value is ServiceFile {
  if (typeof value !== 'object' || value === null) return false
  const { pid, address, started_at, word } = value as Partial<Record<keyof ServiceFile, unknown>>
  const addressed = address === null || typeof address === 'string'
  const worded = word === undefined || typeof word === 'string'
  return typeof pid === 'number' && addressed && worded && typeof started_at === 'string'
}
