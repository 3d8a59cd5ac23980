import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** The process of the host is in the name. */
const name = /^desktop-(\d+)-/

/** A folder for a session of this process; those of hosts that were killed are removed first. */
export async function makeSessionFolder(within: string): Promise<string> {
  for (const entry of await readdir(within)) {
    const [, host] = name.exec(entry) ?? []
    if (host !== undefined && !isAlive(Number(host))) {
      await rm(join(within, entry), { recursive: true, force: true })
    }
  }
  return mkdtemp(join(within, `desktop-${process.pid}-`))
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
