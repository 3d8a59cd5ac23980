const mostDepth = 200

/**
 * Whether code opens more brackets than any program needs. Parsers go one call deeper at each, and where they run out of
 * stack depends on the host; this does not. Brackets in texts and comments are counted too, which no real program notices.
 */
export function isTooDeep(code: string): boolean {
  let depth = 0
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    depth = '([{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1)
    if (depth > mostDepth) return true
  }
  return false
}
