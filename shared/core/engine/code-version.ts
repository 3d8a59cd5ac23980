import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const shared = join(import.meta.dirname, '../..')
const parts = [
  'core/contracts',
  'core/engine',
  'core/random',
  'data/datasets',
  'environments',
  'play/methods',
  'play/sandbox',
  'play/search',
]

/**
 * Names the code that plays episodes by a digest of its files, to distinguish journals of other code. The version is
 * a label: request digests detect a replay with different requests, as after a prompt change.
 * @param folder - the parent of the digested folders
 */
export function codeVersion(version: string, folder?: string): string {
  if (folder !== undefined) return `${version}+${digestOf(folder)}`
  ownDigest ??= digestOf(shared)
  return `${version}+${ownDigest}`
}

/** Of the code in this process, which stays as it was when the process started. */
let ownDigest: string | undefined

/** Reads a thousand files in 20 ms; promises would take ten times the processor time. */
function digestOf(folder: string): string {
  const digest = createHash('sha256')
  for (const part of parts) {
    const files = readdirSync(join(folder, part), { recursive: true, withFileTypes: true })
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    for (const path of paths.sort()) digest.update(readFileSync(path))
  }
  return digest.digest('hex').slice(0, 12)
}
