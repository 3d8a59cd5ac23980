import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

export const controlVariable = 'ESPALIER_CHAOS'
export const worldVariable = 'ESPALIER_CHAOS_WORLD'

/**
 * The shares of failing writes and of messages delivered after later ones are 0 to 1. `kill` ends the process, as
 * SIGKILL does, immediately after so many more commits.
 */
export interface Control {
  clock: number
  storage: number
  full: boolean
  duplicates: number
  reorder: number
  kill: { pid: number; commits: number } | null
}

export const allWell: Readonly<Control> = {
  clock: 0,
  storage: 0,
  full: false,
  duplicates: 0,
  reorder: 0,
  kill: null,
}

export function writeControl(path: string, control: Control): void {
  writeFileSync(`${path}.new`, JSON.stringify(control))
  renameSync(`${path}.new`, path)
}

export function readControl(path: string): Control {
  return JSON.parse(readFileSync(path, 'utf8')) as Control
}

export function noteFault(path: string, fault: string): void {
  appendFileSync(`${path}.log`, `${fault}\n`)
}
