/** The known name that was probably meant, or null where none is close. */
export function nearestName(name: string, known: readonly string[]): string | null {
  // Longer names are no typing slips, and would make the comparison slow.
  if (name.length > 64) return null
  let best: { name: string; distance: number } | null = null
  for (const candidate of known) {
    const distance = editDistance(normalise(name), normalise(candidate))
    if (best === null || distance < best.distance) best = { name: candidate, distance }
  }
  return best !== null && best.distance <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : null
}

/** `maxParallel`, `max-parallel` and `max_parallel` differ in style only. */
function normalise(name: string): string {
  return name.toLowerCase().replaceAll(/[-_ ]/g, '')
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1)
      current.push(Math.min(substitution, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1))
    }
    previous = current
  }
  return previous[right.length] ?? 0
}
