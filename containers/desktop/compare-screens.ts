import { findDesktopTable } from '../../shared/environments/osworld/observations/desktop-observation.ts'

/** Times of day and dates, as clocks on the screen show them. */
const clock =
  /\b\d{1,2}:\d{2}(?::\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?|\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s+(?:\d{1,2}\s+\w+|\w+\s+\d{1,2})(?:,?\s+\d{4})?/g

/**
 * How much of two screens is the same, by the rows of their tables without clocks: 1 where all rows are, in whatever order, and 0 where none is. Texts
 * without a table say nothing of the screen, and count as the same.
 */
export function likenessOfScreens(one: string, other: string): number {
  const [left, right] = [rowsOf(one), rowsOf(other)]
  if (left === null || right === null) return 1
  const counts = new Map<string, number>()
  for (const row of left) counts.set(row, (counts.get(row) ?? 0) + 1)
  let common = 0
  for (const row of right) {
    const count = counts.get(row) ?? 0
    if (count === 0) continue
    counts.set(row, count - 1)
    common += 1
  }
  return (2 * common) / (left.length + right.length)
}

/** The rows of an observation's table, its header among them; null where it has no table. */
function rowsOf(text: string): string[] | null {
  const start = findDesktopTable(text)
  return start === -1 ? null : text.slice(start).replace(clock, '…').trim().split('\n')
}
