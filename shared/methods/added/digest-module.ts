import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'

/** What is named in an import, an export or a call of `import()`. */
const imported = /\b(?:from|import)\s*\(?\s*(['"])(\.{1,2}\/[^'"\n]+)\1/g
/** The folder of Espalier's own sources, which the version of its code covers. */
const own = resolve(import.meta.dirname, '../../..')
const ownFolders = ['shared', 'functions', 'local', 'cli', 'containers', 'node_modules'].map(
  (folder) => `${join(own, folder)}${sep}`,
)

/** A module's files, and what names their content. */
export interface DigestedModule {
  /** 16 hexadecimal digits of SHA-256, over the content of the files, and the names of those that it imports. */
  digest: string
  /** Absolute paths: the module, and what it imports by relative paths, and so on. Packages are not among them. */
  files: readonly string[]
}

/**
 * Names the version of a module by the content of its files, so that a journal which another version wrote is not continued.
 * What a package in `node_modules` does is not seen; a change there goes unnoticed.
 *
 * @param file an absolute path
 */
export async function digestModule(file: string): Promise<DigestedModule> {
  const texts = new Map<string, string>()
  for (const waiting = [file]; waiting.length > 0; ) {
    const path = waiting.pop() as string
    if (texts.has(path) || ownFolders.some((folder) => path.startsWith(folder))) continue
    const text = await readFile(path, 'utf8').catch(() => null)
    // What is not there is no module: importing it fails with its name, or the text was no import.
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
