/** One line of the benchmark's table. */
export interface Figure {
  what: string
  value: string
  /** The same beside something run in the same minute on the same machine. */
  ratio: string
  aim: string
}

/** Hands figures to `bench.ts`, which runs each measurement in a process of its own. */
export function report(...figures: Figure[]): void {
  for (const figure of figures) console.log(JSON.stringify(figure))
}

/** Processor time of this process so far, in milliseconds. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/** Resident memory, in MB. */
export function memory(): number {
  return process.memoryUsage().rss / 1e6
}
