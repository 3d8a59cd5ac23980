import { readFile } from 'node:fs/promises'

export interface ProcessFacts {
  parent: number
  memory: number
  processorTime: number
  /** True if its main thread runs, or would if a processor were free. */
  isRunnable: boolean
}

const ticksPerSecond = 100

export async function readProcessFacts(pid: number | undefined): Promise<ProcessFacts | null> {
  try {
    const [status, stat] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/stat`, 'utf8'),
    ])
    // The second field is the name in parentheses, which may contain any character.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return {
      parent: Number(fields[1]),
      memory: Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024,
      processorTime: ((Number(fields[11]) + Number(fields[12])) * 1000) / ticksPerSecond,
      isRunnable: fields[0] === 'R',
    }
  } catch {
    return null
  }
}
