import { longestCommon } from './longest-common.ts'
import { wordsOf } from './text-difference.ts'

export interface AlignedPair {
  left: number | null
  right: number | null
}

/** More pairs of actions are not compared: their table would use too much memory for a page. */
const mostPairs = 16_000_000

/** More pairs of steps in one gap are not compared by their words; they pair in order. */
const mostInGap = 40_000

/**
 * Aligns two lists of actions. Equal actions of a longest common subsequence share a row.
 *
 * Between two such rows, each step of the shorter side pairs with one of the other, in order. The pairs maximize the
 * shared words, and the other steps stand alone. Swapping the lists swaps the rows.
 *
 * @example
 * alignSteps(['look', 'take cup'], ['look', 'open drawer', 'take mug'])
 * // [{ left: 0, right: 0 }, { left: null, right: 1 }, { left: 1, right: 2 }]
 */
export function alignSteps(left: readonly string[], right: readonly string[]): AlignedPair[] {
  // Break ties the same way whichever list is on the left.
  if (isAfter(left, right)) return align(right, left).map(swap)
  return align(left, right)
}

function align(left: readonly string[], right: readonly string[]): AlignedPair[] {
  const rows: AlignedPair[] = []
  let [fromLeft, fromRight] = [0, 0]
  const end = [left.length, right.length] as const
  for (const [toLeft, toRight] of [...longestCommon(left, right, { mostPairs }), end]) {
    const gap = pairGap(left.slice(fromLeft, toLeft), right.slice(fromRight, toRight))
    for (const pair of gap) {
      rows.push({
        left: pair.left === null ? null : pair.left + fromLeft,
        right: pair.right === null ? null : pair.right + fromRight,
      })
    }
    if (toLeft < left.length) rows.push({ left: toLeft, right: toRight })
    fromLeft = toLeft + 1
    fromRight = toRight + 1
  }
  return rows
}

function pairGap(left: readonly string[], right: readonly string[]): AlignedPair[] {
  if (left.length > right.length) return pairGap(right, left).map(swap)
  const partners = partnersOf(left, right)
  const rows: AlignedPair[] = []
  let next = 0
  right.forEach((_, at) => {
    const isPaired = partners[next] === at
    rows.push({ left: isPaired ? next : null, right: at })
    if (isPaired) next += 1
  })
  return rows
}

/** Assigns each item of the shorter list to one of the longer, in order, with the greatest sum of similarities. */
function partnersOf(few: readonly string[], many: readonly string[]): number[] {
  const spare = many.length - few.length
  if (spare === 0 || few.length * many.length > mostInGap) return few.map((_, at) => at)
  const [fewWords, manyWords] = [few, many].map((texts) => texts.map((text) => new Set(wordsOf(text))))
  // The best sums of the remaining items; an item shifts by at most `spare` positions.
  const best = Array.from({ length: few.length + 1 }, () => new Float64Array(spare + 1))
  const similarities = few.map((_, item) =>
    Array.from({ length: spare + 1 }, (__, skipped) =>
      diceCoefficient(fewWords?.[item], manyWords?.[item + skipped]),
    ),
  )
  const taken = (item: number, skipped: number) =>
    (similarities[item]?.[skipped] ?? 0) + (best[item + 1]?.[skipped] ?? 0)
  for (let item = few.length - 1; item >= 0; item -= 1) {
    const sums = best[item]
    if (sums === undefined) continue
    for (let skipped = spare; skipped >= 0; skipped -= 1)
      sums[skipped] = Math.max(taken(item, skipped), sums[skipped + 1] ?? 0)
  }
  let skipped = 0
  return few.map((_, item) => {
    while (skipped < spare && taken(item, skipped) < (best[item]?.[skipped] ?? 0)) skipped += 1
    return item + skipped
  })
}

function diceCoefficient(one: Set<string> = new Set(), other: Set<string> = new Set()): number {
  const size = one.size + other.size
  return size === 0 ? 1 : (2 * [...one].filter((word) => other.has(word)).length) / size
}

function swap({ left, right }: AlignedPair): AlignedPair {
  return { left: right, right: left }
}

function isAfter(one: readonly string[], other: readonly string[]): boolean {
  const at = one.findIndex((item, position) => item !== other[position])
  const [item, otherItem] = [one[at], other[at]]
  return item !== undefined && (otherItem === undefined || item > otherItem)
}
