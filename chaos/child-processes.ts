import { readdirSync, readFileSync } from 'node:fs'

export interface ChildProcesses {
  /** Worker processes of a service. */
  workers: number[]
  /** Environment hosts. */
  hosts: number[]
}

/** The processes that a service has started, as /proc knows them; none where the system has no /proc. */
export function childrenOf(parent: number): ChildProcesses {
  const children = processes().filter((id) => parentOf(id) === parent)
  const isHost = (id: number) => read(id, 'cmdline').includes('/containers/')
  return { workers: children.filter((id) => !isHost(id)), hosts: children.filter(isHost) }
}

function processes(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch (error) {
    if (isGone(error)) return []
    throw error
  }
}

function parentOf(id: number): number {
  return Number(/^PPid:\s+(\d+)/m.exec(read(id, 'status'))?.[1])
}

/** Empty once the process is gone. */
function read(id: number, file: string): string {
  try {
    return readFileSync(`/proc/${id}/${file}`, 'utf8')
  } catch (error) {
    if (isGone(error)) return ''
    throw error
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** @returns false where there is no such process any more */
export function signal(id: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(id, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
