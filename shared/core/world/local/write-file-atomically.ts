import { randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { storageError } from './storage-error.ts'

/**
 * Writes a small file atomically: after a crash, or for a reader, it has the old text or the new one. Only this user
 * can read it.
 */
export async function writeFileAtomically(path: string, text: string | Uint8Array): Promise<void> {
  const partial = `${path}.${randomUUID()}.partial`
  try {
    const file = await open(partial, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw storageError(error, 'write', path)
  }
}
