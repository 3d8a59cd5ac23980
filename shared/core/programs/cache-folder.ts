import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/**
 * The folder for installations shared by all clones and services, for example virtual environments and emulators:
 * `ESPALIER_CACHE`, or `espalier` in the user's cache folder. Each entry is named by a digest of its inputs. It may
 * be deleted.
 */
export function cacheFolder(environment: NodeJS.ProcessEnv = process.env): string {
  const { ESPALIER_CACHE: own, XDG_CACHE_HOME: shared } = environment
  if (own) return resolve(own)
  return join(shared || join(homedir(), '.cache'), 'espalier')
}

/**
 * Creates a folder of the cache unless it exists. It is filled under a temporary name and renamed when complete. A
 * folder with its final name is therefore complete, and concurrent processes do not disturb each other.
 * @param make - fills the folder, whose path is temporary; it exists already
 * @param isUsable - returns true if an existing folder still works; otherwise it is created again
 */
export async function fillCacheFolder(
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
      // Another process created the same folder in between: use that one.
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
