/** Longer names are no typing slips, and would make comparisons slow. */
const longestName = 100
const shortestBeginning = 3

/**
 * The known name closest to the likely intention; null if none is close. A close name differs by a third of its
 * letters at most, or is the only one that begins with the unknown one.
 * @param mostSlips letters that may differ. @default a third of the known name's
 */
export function nearestName(name: string, known: Iterable<string>, mostSlips?: number): string | null {
  if (name.length > longestName) return null
  const given = normalise(name)
  let best: { name: string; distance: number } | null = null
  const begun: string[] = []
  for (const candidate of known) {
    const other = normalise(candidate)
    const slips = mostSlips ?? Math.max(1, Math.floor(other.length / 3))
    if (given.length >= shortestBeginning && other.startsWith(given)) begun.push(candidate)
    if (other.length > longestName || Math.abs(other.length - given.length) > slips) continue
    const distance = editDistance(given, other)
    if (distance <= slips && (best === null || distance < best.distance)) best = { name: candidate, distance }
  }
  if (best !== null) return best.name
  return begun.length === 1 ? (begun[0] ?? null) : null
}

export function didYouMean(name: unknown, known: Iterable<string>, mostSlips?: number): string {
  const meant = typeof name === 'string' ? nearestName(name, known, mostSlips) : null
  return meant === null ? '' : ` Did you mean "${meant}"?`
}

export function unknownName(what: string, name: unknown, known: readonly string[]): string {
  const choices = known.length === 0 ? 'There is none here.' : `Choose one of: ${known.join(', ')}.`
  return `${what} ${JSON.stringify(name)}.${didYouMean(name, known)} ${choices}`
}

function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '')
}

function editDistance(left: string, right: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1]
      const substitution = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      let least = Math.min(substitution, (last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1)
      const isSwapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]
      if (row > 1 && column > 1 && isSwapped) least = Math.min(least, (beforeLast[column - 2] ?? 0) + 1)
      current.push(least)
    }
    beforeLast = last
    last = current
  }
  return last[right.length] ?? 0
}
