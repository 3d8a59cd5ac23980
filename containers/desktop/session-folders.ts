import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The process of the host is in the name. */
const name = /^espalier-desktop-(\d+)-/

/** A folder for a session of this process; those of hosts that were killed are removed first. */
export async function makeSessionFolder(within: string): Promise<string> {
  for (const entry of await readdir(within)) {
    const [, host] = name.exec(entry) ?? []
    if (host !== undefined && !isAlive(Number(host))) {
      // What another user left stays, and keeps no one from opening a desktop.
      await removeFolder(join(within, entry)).catch(() => undefined)
    }
  }
  return mkdtemp(join(within, `espalier-desktop-${process.pid}-`))
}

/** Removes a folder with all that an agent has put into it, also where it has taken the rights from folders. */
export async function removeFolder(path: string): Promise<void> {
  const options = { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }
  try {
    await rm(path, options)
  } catch {
    await run('chmod', ['-R', 'u+rwX', path]).catch(() => undefined)
    await rm(path, options)
  }
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    // One of another user lives.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
