import { readFile } from 'node:fs/promises'

/** What the system says of a process. */
export interface ProcessFacts {
  /** The process that started it. */
  parent: number
  /** Resident bytes. */
  memory: number
  /** Milliseconds of processor time that it has used, by itself and in the system for it. */
  processorTime: number
  /** Whether its main thread runs, or would if a processor were free. */
  isRunnable: boolean
}

/** Clock ticks a second, as Linux counts processor time in /proc. */
const ticks = 100

/** Reads /proc; null where the system has none, and for a process that is gone. */
export async function readProcessFacts(pid: number | undefined): Promise<ProcessFacts | null> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // The second field is the name in parentheses, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      parent: Number(fields[1]),
      memory: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
      processorTime: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticks,
      isRunnable: fields[0] === 'R',
    }
  } catch {
    return null
  }
}
