import { opendir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../core/contracts/errors.ts'
import type { PackSource } from './data-pack.ts'

/** The files of a folder, recursively. Links are left out, because they may lead anywhere. */
export async function folderSource(folder: string): Promise<PackSource> {
  const listed = await filesIn(folder, '')
  const known = new Set(listed)
  return {
    files: listed.toSorted(),
    listed,
    async read(path) {
      if (known.has(path)) return readFile(join(folder, path))
      throw new EspalierError('not_found', `${folder} has no file ${path}.`)
    },
  }
}

async function filesIn(root: string, path: string): Promise<string[]> {
  const files: string[] = []
  for await (const entry of await opendir(join(root, path))) {
    const name = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) files.push(...(await filesIn(root, name)))
    else if (entry.isFile()) files.push(name)
  }
  return files
}
