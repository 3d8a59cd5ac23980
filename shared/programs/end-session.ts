import { readdir, readFile } from 'node:fs/promises'

/** Marks the processes of one program: what it starts inherits it, also in sessions of their own. */
export const sessionVariable = 'ESPALIER_SESSION'

/** Looks for processes at most: each look ends all that it finds, which may have started others meanwhile. */
const mostLooks = 5

/**
 * Ends every process that has the mark of a program, on Linux. A child that left its group, or whose parent has ended, keeps it.
 *
 * @param session - the value of {@link sessionVariable}
 */
export async function endSession(session: string): Promise<void> {
  const mark = Buffer.from(`${sessionVariable}=${session}\0`)
  for (let look = 0; look < mostLooks; look += 1) {
    const found = await markedWith(mark)
    if (found.length === 0) return
    for (const pid of found) kill(pid)
  }
}

async function markedWith(mark: Buffer): Promise<number[]> {
  const names = await readdir('/proc').catch(() => [])
  const pids = names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
  const found: number[] = []
  for (const pid of pids) {
    // Those of others cannot be read, and one that has ended has none.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null)
    if (environment?.includes(mark)) found.push(Number(pid))
  }
  return found
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended since.
  }
}
