import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * The folder of what is installed once for all clones and services, such as virtual environments and emulators: `ESPALIER_CACHE`,
 * or `espalier` in the user's cache folder. Each entry is named by a digest of what it was made of. It may be deleted.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { ESPALIER_CACHE: own, XDG_CACHE_HOME: shared } = environment
  if (own) return resolve(own)
  return join(shared || join(homedir(), '.cache'), 'espalier')
}

/**
 * Makes a folder of the cache unless it is there. It is made under a temporary name and renamed when complete, so that a
 * folder with its final name is complete, and processes that make it at the same time do not disturb each other.
 *
 * @param make - fills the folder, whose path is temporary; it exists already
 * @param isUsable - whether a folder that is there still works; one that does not is made again
 */
export async function makeOnce(
  folder: string,
  make: (folder: string) => Promise<void>,
  isUsable: (folder: string) => Promise<boolean> = async () => true,
): Promise<string> {
  if (existsSync(folder)) {
    if (await isUsable(folder)) return folder
    await moveAway(folder)
  }
  const making = `${folder}.making-${randomUUID()}`
  try {
    await mkdir(making, { recursive: true })
    await make(making)
    await mkdir(dirname(folder), { recursive: true })
    await rename(making, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process made the same folder in between: theirs is used.
      if (!['ENOTEMPTY', 'EEXIST', 'EPERM'].includes(error.code ?? '') || !existsSync(folder)) throw error
    })
  } finally {
    await rm(making, { recursive: true, force: true })
  }
  return folder
}

async function moveAway(folder: string): Promise<void> {
  const old = `${folder}.old-${randomUUID()}`
  await rename(folder, old).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  await rm(old, { recursive: true, force: true })
}
