import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

const shared = join(import.meta.dirname, '..')
/** The parts of the code that decide what an episode does. */
const parts = [
  'contracts',
  'datasets',
  'engine',
  'environments',
  'methods',
  'prompts',
  'random',
  'sandbox',
  'search',
]

/**
 * Names the code that plays episodes by a digest of its files, so that a journal which other code wrote can be distinguished from
 * one that this code wrote. The version is a label: that a replay asks something else, as after a prompt was changed, is found by
 * the digests of its requests.
 *
 * @param folder - that of the parts
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
