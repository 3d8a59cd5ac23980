import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

const imported = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g
const own = resolve(import.meta.dirname, '../../../..')
const ownFolders = ['shared', 'functions', 'local', 'cli', 'containers', 'node_modules'].map(
  (folder) => `${join(own, folder)}${sep}`,
)

export interface DigestedModule {
  /** 16 hexadecimal digits of SHA-256, over the contents of the files and the names of the files they import. */
  digest: string
  /** Absolute paths of the module and of its direct and indirect relative imports, without packages. */
  files: readonly string[]
}

/**
 * Digests the files of a module, so that a run never resumes a journal of another version. Changes to packages in
 * `node_modules` go unnoticed.
 *
 * @param file an absolute path
 */
export async function digestModule(file: string): Promise<DigestedModule> {
  const texts = new Map<string, string>()
  for (const waiting = [file]; waiting.length > 0; ) {
    const path = waiting.pop() as string
    if (texts.has(path) || ownFolders.some((folder) => path.startsWith(folder))) continue
    const text = await readFile(path, 'utf8').catch(() => null)
    // Skip a missing file: importing it fails with its name, or the text was no import.
    if (text === null) continue
    texts.set(path, text)
    for (const [, , specifier = ''] of text.matchAll(imported))
      waiting.push(resolve(dirname(path), specifier))
  }
  const digest = createHash('sha256')
  const files = [...texts.keys()].sort()
  for (const path of files) {
    const name = path === file ? '' : relative(dirname(file), path).split(sep).join('/')
    digest.update(`${name}\n${texts.get(path)?.length}\n${texts.get(path)}`)
  }
  return { digest: digest.digest('hex').slice(0, 16), files }
}
