import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export const lockMark = '# Locked, of the list with the SHA-256 '

export function lockOf(list: string): string {
  return list.replace(/\.txt$/, '.lock')
}

/**
 * The pip arguments for a list: its lock, which has every package with the hashes of its files, or the list itself if
 * it has no lock, or has changed since.
 */
export async function installedBy(list: string): Promise<string[]> {
  const lock = await readFile(lockOf(list), 'utf8').catch(() => null)
  const digest = createHash('sha256')
    .update(await readFile(list))
    .digest('hex')
  const isCurrent = lock?.startsWith(`${lockMark}${digest}\n`) === true
  return isCurrent ? ['--require-hashes', '-r', lockOf(list)] : ['-r', list]
}
