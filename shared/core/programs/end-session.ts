import { readdir, readFile } from 'node:fs/promises'

/** Marks the processes of one program: its children inherit it, even in sessions of their own. */
export const sessionVariable = 'ESPALIER_SESSION'

/** Maximum number of scans: each scan ends all processes that it finds, which may have started others meanwhile. */
const mostLooks = 5

/**
 * Ends every process with the mark of a program, on Linux. A child that left its group, or whose parent has ended,
 * keeps the mark.
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
    // Other users' processes are unreadable, and an ended one has no environment.
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
