import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

/**
 * Ends a process group's leader with its group and its descendants, including those with their own groups. It sends
 * SIGTERM, and kills them after `grace` milliseconds. Resolves when none is left.
 */
export async function stopTree(pid: number, grace: number): Promise<void> {
  const tree = [-pid, ...descendantsOf(pid)]
  for (const each of tree) send(each, 'SIGTERM')
  const deadline = performance.now() + grace
  while (tree.some((each) => send(each, 0))) {
    if (performance.now() > deadline) for (const each of tree) send(each, 'SIGKILL')
    await wait(50)
  }
}

export function killGroup(pid: number): void {
  send(-pid, 'SIGKILL')
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

function descendantsOf(pid: number): number[] {
  const childrenOf = Map.groupBy(
    existsSync('/proc/self/stat') ? procTable() : psTable(),
    ({ parent }) => parent,
  )
  const found = [pid]
  for (const each of found) found.push(...(childrenOf.get(each) ?? []).map((child) => child.pid))
  return found.slice(1)
}

interface TableRow {
  pid: number
  parent: number
}

function procTable(): TableRow[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The program's name is in parentheses, and may contain any character. Its state and parent follow.
        const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
        return [{ pid: Number(name), parent: Number(parent) }]
      } catch {
        return [] // It ended meanwhile.
      }
    })
}

function psTable(): TableRow[] {
  return execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [pid, parent] = line.trim().split(/\s+/).map(Number)
      return { pid: pid ?? 0, parent: parent ?? 0 }
    })
}
