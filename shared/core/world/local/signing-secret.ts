import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../contracts/errors.ts'
import { failureCode, storageError } from './storage-error.ts'
import { writeFileAtomically } from './write-file-atomically.ts'

const bytes = 32

/**
 * The secret that signs a folder's addresses: created once, readable by this user only. Call it under the folder's
 * lock.
 */
export async function signingSecret(folder: string): Promise<Uint8Array> {
  const path = join(folder, 'signing-secret')
  try {
    const secret = Buffer.from((await readFile(path, 'utf8')).trim(), 'hex')
    if (secret.length === bytes) return secret
  } catch (error) {
    if (failureCode(error) !== 'ENOENT') throw storageError(error, 'read', path)
    const secret = randomBytes(bytes)
    await writeFileAtomically(path, `${secret.toString('hex')}\n`)
    return secret
  }
  throw new EspalierError(
    'storage_failed',
    `${path} is damaged. Remove it to have a new secret made; addresses that were handed out then stop working.`,
  )
}
