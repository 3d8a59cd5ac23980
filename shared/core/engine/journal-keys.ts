export const compactionFactor = 8

const pattern = /(\d{6,})(?:-(\d{6,}))?\.jsonl\.gz$/

export function segmentKey(prefix: string, number: number): string {
  return `${prefix}${pad(number)}.jsonl.gz`
}

export function compactedKey(prefix: string, from: number, to: number): string {
  return `${prefix}${pad(from)}-${pad(to)}.jsonl.gz`
}

export interface StoredRange {
  key: string
  from: number
  to: number
}

export function planReading(prefix: string, keys: string[]): StoredRange[] {
  const widest = new Map<number, StoredRange>()
  for (const key of keys) {
    const match = pattern.exec(key.slice(prefix.length))
    if (!match) continue
    const from = Number(match[1])
    const to = Number(match[2] ?? match[1])
    if (to > (widest.get(from)?.to ?? 0)) widest.set(from, { key, from, to })
  }
  const plan: StoredRange[] = []
  for (let next = widest.get(1); next; next = widest.get(next.to + 1)) plan.push(next)
  return plan
}

function pad(number: number): string {
  return String(number).padStart(6, '0')
}
