type Shares = Record<string, number>

/** Divisions that many use. */
export const presets: readonly { name: string; shares: Shares }[] = [
  { name: 'All for training', shares: {} },
  { name: '90 % train, 10 % validation', shares: { train: 0.9, validation: 0.1 } },
  { name: '80 %, 10 %, 10 % test', shares: { train: 0.8, validation: 0.1, test: 0.1 } },
]

/** The shares with one more split, which takes what is left of the whole. */
export function addSplit(shares: Shares): Shares {
  let number = Object.keys(shares).length + 1
  while (`split_${number}` in shares) number += 1
  return { ...shares, [`split_${number}`]: round(Math.max(0, 1 - sumOf(shares))) }
}

export function removeSplit(shares: Shares, name: string): Shares {
  const { [name]: _, ...rest } = shares
  return rest
}

/** The shares with a split called otherwise, at its place. A name that is there already is not taken. */
export function renameSplit(shares: Shares, name: string, next: string): Shares {
  if (next in shares) return shares
  return Object.fromEntries(
    Object.entries(shares).map(([each, share]) => [each === name ? next : each, share]),
  )
}

/** A share that is being typed may be nothing yet. */
export function withShare(shares: Shares, name: string, share: number): Shares {
  return { ...shares, [name]: Number.isFinite(share) ? share : 0 }
}

/** What is wrong with the shares together, in words; null where nothing is. */
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
