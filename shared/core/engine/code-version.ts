import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
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
export async function codeVersion(version: string, folder = shared): Promise<string> {
  const digest = createHash('sha256')
  for (const part of parts) {
    const files = await readdir(join(folder, part), { recursive: true, withFileTypes: true })
    const paths = files.filter((file) => file.isFile()).map((file) => join(file.parentPath, file.name))
    for (const path of paths.sort()) digest.update(await readFile(path))
  }
  return `${version}+${digest.digest('hex').slice(0, 12)}`
}
