const mostDepth = 200

/**
 * Refuses code with more open brackets than any program needs. Parsers recurse one call deeper at each, and their
 * stack limit depends on the host; this limit does not. It also counts brackets in texts and comments, which affects
 * no real program.
 */
export function isTooDeep(code: string): boolean {
  let depth = 0
  for (const [bracket] of code.matchAll(/[()[\]{}]/g)) {
    depth = '([{'.includes(bracket) ? depth + 1 : Math.max(0, depth - 1)
    if (depth > mostDepth) return true
  }
  return false
}
