import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { programVariables } from './program-variables.ts'

/**
 * Index in `/proc/self/stat`, counted after the process name, of the start of its first environment, see
 * proc_pid_stat(5).
 */
const environmentStart = 47

/**
 * Removes the variables hidden from programs from `/proc/self/environ`, which every process of the same user can
 * read. `process.env` keeps them. Works only on Linux.
 *
 * The kernel shows the memory of a process's first environment. Setting a variable stores a copy elsewhere, and then
 * the first one is overwritten.
 *
 * @returns false if it failed: there is no `/proc`, or a process may not write its own memory
 */
export function hideVariables(): boolean {
  try {
    const first = readFileSync('/proc/self/environ')
    const start = startOfEnvironment()
    const shown = programVariables()
    const memory = openSync('/proc/self/mem', 'r+')
    try {
      for (const { name, at, length } of entriesOf(first)) {
        const value = process.env[name]
        if (Object.hasOwn(shown, name) || value === undefined) continue
        process.env[name] = value
        writeSync(memory, Buffer.alloc(length), 0, length, start + at)
      }
    } finally {
      closeSync(memory)
    }
    return true
  } catch {
    return false
  }
}

function startOfEnvironment(): number {
  const stat = readFileSync('/proc/self/stat', 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[environmentStart])
}

function* entriesOf(environment: Buffer): Iterable<{ name: string; at: number; length: number }> {
  for (let at = 0; at < environment.length; ) {
    const found = environment.indexOf(0, at)
    const end = found < 0 ? environment.length : found
    const [name = ''] = environment.toString('utf8', at, end).split('=')
    if (name !== '') yield { name, at, length: end - at }
    at = end + 1
  }
}
