import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const name = /^espalier-desktop-(\d+)-/

export async function makeSessionFolder(within: string): Promise<string> {
  for (const entry of await readdir(within)) {
    const [, host] = name.exec(entry) ?? []
    if (host !== undefined && !isAlive(Number(host))) {
      // Another user's folder stays, and prevents no desktop from opening.
      await removeFolder(join(within, entry)).catch(() => undefined)
    }
  }
  return mkdtemp(join(within, `espalier-desktop-${process.pid}-`))
}

/** Removes a folder with everything that an agent has put into it, even if it has removed permissions. */
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
    // A process of another user is alive.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
