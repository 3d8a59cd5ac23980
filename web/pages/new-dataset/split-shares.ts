type Shares = Record<string, number>

export const presets: readonly { name: string; shares: Shares }[] = [
  { name: 'All for training', shares: {} },
  { name: '90 % train, 10 % validation', shares: { train: 0.9, validation: 0.1 } },
  { name: '80 %, 10 %, 10 % test', shares: { train: 0.8, validation: 0.1, test: 0.1 } },
]

/** A split identified by its position: an object would move a name such as `2024` to the front. */
export interface SplitEntry {
  name: string
  /** NaN while the field is empty. */
  share: number
}

export function splitEntries(shares: Shares): SplitEntry[] {
  return Object.entries(shares).map(([name, share]) => ({ name, share }))
}

export function splitShares(entries: readonly SplitEntry[]): Shares {
  return Object.fromEntries(entries.map(({ name, share }) => [name, Number.isFinite(share) ? share : 0]))
}

export function addSplit(entries: readonly SplitEntry[]): SplitEntry[] {
  const shares = splitShares(entries)
  let number = entries.length + 1
  while (`split_${number}` in shares) number += 1
  return [...entries, { name: `split_${number}`, share: round(Math.max(0, 1 - sumOf(shares))) }]
}

export function renameSplit(entries: readonly SplitEntry[], place: number, name: string): SplitEntry[] {
  if (entries.some((entry) => entry.name === name)) return [...entries]
  return entries.map((entry, at) => (at === place ? { ...entry, name } : entry))
}

export function sharesProblem(shares: Shares): string | null {
  if (Object.keys(shares).length === 0) return null
  const empty = Object.entries(shares).find(([, share]) => !(share > 0))
  if (empty !== undefined) return `The share of “${empty[0]}” must be more than 0.`
  const sum = sumOf(shares)
  return Math.abs(sum - 1) <= 1e-9 ? null : `The shares are ${round(sum)} in sum; they must be 1.`
}

function sumOf(shares: Shares): number {
  return Object.values(shares).reduce((total, share) => total + share, 0)
}

function round(value: number): number {
  return Number(value.toFixed(9))
}
