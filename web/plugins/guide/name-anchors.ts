/**
 * Gives the headings of one page their anchors, as GitHub does: lower case, hyphens for spaces, no other marks; one that was
 * given before has a number after it.
 *
 * @example
 * const nameAnchor = nameAnchors()
 * nameAnchor('One path: `act`, `react`') // 'one-path-act-react'
 */
export function nameAnchors(): (heading: string) => string {
  const given = new Map<string, number>()
  return (heading) => {
    const anchor = heading
      .trim()
      .toLowerCase()
      .replaceAll(/[^\p{Letter}\p{Number}\s_-]/gu, '')
      .replaceAll(/\s/g, '-')
    const before = given.get(anchor) ?? 0
    given.set(anchor, before + 1)
    return before === 0 ? anchor : `${anchor}-${before}`
  }
}
