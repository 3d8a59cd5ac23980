/** Levels that JSON of uploaded files may nest. Every later reader recurses one call deeper at each. */
export const deepestJson = 200

/** True if a JSON value nests deeper than `levels`. It uses no recursion, however deep the value is. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > levels) return true
    level = level.flatMap((item) => (typeof item === 'object' && item !== null ? Object.values(item) : []))
  }
  return false
}
