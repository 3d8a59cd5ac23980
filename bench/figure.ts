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
