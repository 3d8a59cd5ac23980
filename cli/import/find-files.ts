import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { wrongUsage } from '../command-error.ts'

const rowsName = /\.(json|jsonl|ndjson|parquet)(\.gz)?$/i
const besides = /^(manifest\.json|dataset_info\.json|metadata\.json|lineage-.*)$/
/** `search_results_10` comes after `search_results_9`. */
const inOrder = new Intl.Collator('en', { numeric: true })

/**
 * Lists files in the order of their paths: files themselves, and all files of rows below folders.
 * @throws CommandError for a missing path, and for a folder without files of rows
 */
export async function findFiles(paths: readonly string[]): Promise<string[]> {
  const files: string[] = []
  for (const path of paths) files.push(...(await filesAt(path)))
  return files
}

async function filesAt(path: string): Promise<string[]> {
  const about = await stat(path).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      throw wrongUsage(`There is no file or folder ${path}.`)
    }
    throw error
  })
  if (!about.isDirectory()) return [path]
  const names = await readdir(path, { recursive: true })
  const found = names.filter((name) => rowsName.test(name) && !besides.test(basename(name)))
  if (found.length === 0) {
    throw wrongUsage(`The folder ${path} holds no .json, .jsonl, .ndjson or .parquet file.`)
  }
  return found.sort(inOrder.compare).map((name) => join(path, name))
}
