import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs'

/** The variable that names the file which says what goes wrong in the service's processes. */
export const controlVariable = 'ESPALIER_CHAOS'

/** What goes wrong now in every process of the service. */
export interface Control {
  /** Milliseconds that the clock is ahead; negative: behind. */
  clock: number
  /** The share of writes that fail, 0 to 1. */
  storage: number
  /** Whether no write gets room that it needs. */
  full: boolean
  /** The share of messages that are delivered twice. */
  duplicates: number
  /** The share of messages that come later than those behind them. */
  reorder: number
  /** Ends this process, as SIGKILL does, right behind so many more commits. */
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

/** Replaces the file at once, so that half of it is never read. */
export function writeControl(path: string, control: Control): void {
  writeFileSync(`${path}.new`, JSON.stringify(control))
  renameSync(`${path}.new`, path)
}

export function readControl(path: string): Control {
  return JSON.parse(readFileSync(path, 'utf8')) as Control
}

/** Takes note of a fault that a process has made, so that it outlives the process. */
export function noteFault(path: string, fault: string): void {
  appendFileSync(`${path}.log`, `${fault}\n`)
}
