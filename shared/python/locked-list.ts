import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** Begins the first line of a lock: the digest of the list that it was made of follows. */
export const lockMark = '# Locked, of the list with the SHA-256 '

/** The lock that lies beside a list of packages: `requirements.txt` has `requirements.lock`. */
export function lockOf(list: string): string {
  return list.replace(/\.txt$/, '.lock')
}

/**
 * How pip installs a list: by its lock, which has every package with the hashes of its files, or as the list stands if it has no
 * lock, or was changed since.
 */
export async function installedBy(list: string): Promise<string[]> {
  const lock = await readFile(lockOf(list), 'utf8').catch(() => null)
  const digest = createHash('sha256')
    .update(await readFile(list))
    .digest('hex')
  const isCurrent = lock?.startsWith(`${lockMark}${digest}\n`) === true
  return isCurrent ? ['--require-hashes', '-r', lockOf(list)] : ['-r', list]
}
