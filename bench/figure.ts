import { readFileSync } from 'node:fs'

export interface Figure {
  what: string
  value: string
  ratio: string
  aim: string
}

export function report(...figures: Figure[]): void {
  for (const figure of figures) console.log(JSON.stringify(figure))
}

export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

export function memory(): number {
  return process.memoryUsage().rss / 1e6
}

/** The most memory that this process had, in MB. Linux begins getrusage's peak with the parent's size. */
export function peakMemory(): number {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS / 1e3
  const peak = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return (Number(peak) * 1024) / 1e6
}
