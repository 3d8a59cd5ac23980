import { lstat, mkdir, mkdtemp, readdir, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const aside = '.partial-'
/** Milliseconds after which a folder of unfinished files is left over from a killed process. */
const stale = 24 * 60 * 60 * 1000

/**
 * Fills a folder with files that get their final names only when all are complete. `write` fills a temporary folder
 * inside it, with paths relative to that folder. If it fails, the target folder stays unchanged.
 * @returns the result of `write`
 */
export async function fillFolder<Written>(
  folder: string,
  write: (aside: string) => Promise<Written>,
): Promise<Written> {
  const made = await mkdir(folder, { recursive: true })
  await removeStale(folder)
  const place = await mkdtemp(join(folder, aside))
  try {
    const written = await write(place)
    await moveInto(place, folder)
    await rm(place, { recursive: true })
    return written
  } catch (error) {
    await rm(place, { recursive: true, force: true })
    if (made !== undefined) await removeIfEmpty(folder)
    throw error
  }
}

/**
 * Writes a text that gets its final name only when complete. A path that is no regular file, for example a pipe, a
 * device or a link, is written directly.
 */
export async function writeTextFile(path: string, text: string): Promise<void> {
  if (!(await isReplaceable(path))) return writeFile(path, text)
  const partial = `${path}.${process.pid}.partial`
  try {
    await writeFile(partial, text)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

async function moveInto(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory())
  for (const { name } of folders) {
    if (await exists(join(to, name))) await moveInto(join(from, name), join(to, name))
    else await rename(join(from, name), join(to, name))
  }
  for (const entry of entries) {
    if (!entry.isDirectory()) await rename(join(from, entry.name), join(to, entry.name))
  }
}

async function removeStale(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(aside)) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > stale) await rm(join(folder, name), { recursive: true, force: true })
  }
}

async function isReplaceable(path: string): Promise<boolean> {
  const found = await lstat(path).catch(nullIfAbsent)
  return found === null || found.isFile()
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(nullIfAbsent)) !== null
}

function nullIfAbsent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
  throw error
}

async function removeIfEmpty(folder: string): Promise<void> {
  try {
    await rmdir(folder)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOTEMPTY')) throw error
  }
}
