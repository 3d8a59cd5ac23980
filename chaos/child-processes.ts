import { readdirSync, readFileSync } from 'node:fs'

export interface ChildProcesses {
  workers: number[]
  hosts: number[]
}

export function childrenOf(parent: number): ChildProcesses {
  const children = processes().filter((id) => parentOf(id) === parent)
  const isHost = (id: number) => read(id, 'cmdline').includes('/containers/')
  return { workers: children.filter((id) => !isHost(id)), hosts: children.filter(isHost) }
}

export function trainersOf(data: string): number[] {
  return processes().filter((id) =>
    read(id, 'cmdline')
      .split('\0')
      .some((word) => isJob(word, data)),
  )
}

function isJob(word: string, data: string): boolean {
  return word.startsWith(`${data}/`) && word.endsWith('job.json')
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

export function signal(id: number, name: NodeJS.Signals): boolean {
  try {
    process.kill(id, name)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}
