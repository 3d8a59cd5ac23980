import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { EspalierError } from '../../shared/contracts/errors.ts'
import type { PackSource } from '../../shared/environments/data-pack.ts'

/** The files of a folder and of the folders in it. Links are left out: they may lead anywhere. */
export async function folderSource(folder: string): Promise<PackSource> {
  const files = (await filesIn(folder, '')).sort()
  const known = new Set(files)
  return {
    files,
    async read(path) {
      if (known.has(path)) return readFile(join(folder, path))
      throw new EspalierError('not_found', `${folder} has no file ${path}.`)
    },
  }
}

async function filesIn(root: string, path: string): Promise<string[]> {
  const files: string[] = []
  for (const entry of await readdir(join(root, path), { withFileTypes: true })) {
    const name = path === '' ? entry.name : `${path}/${entry.name}`
    if (entry.isDirectory()) files.push(...(await filesIn(root, name)))
    else if (entry.isFile()) files.push(name)
  }
  return files
}
