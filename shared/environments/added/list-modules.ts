import { dirname, resolve } from 'node:path'
import { readEnvironmentsFile } from './read-environments-file.ts'

/** The modules that an `environments.json` names, by their whole paths: what hosts on this machine serve too. */
export async function listModules(path: string): Promise<string[]> {
  const entries = await readEnvironmentsFile(path, [])
  const files = [...entries.values()].filter((entry) => entry.kind === 'module')
  return [...new Set(files.map(({ file }) => resolve(dirname(path), file)))]
}
