export type Match = readonly [left: number, right: number]

/**
 * Finds a longest common subsequence of two lists, as the positions of its items in each. It compares every pair of
 * items between the equal beginnings and ends of the lists. If these are more than `mostPairs`, everything between
 * counts as different.
 *
 * @example
 * longestCommon(['a', 'b', 'c'], ['a', 'x', 'c'], { mostPairs: 100 }) // [[0, 0], [2, 2]]
 */
export function longestCommon(
  left: readonly string[],
  right: readonly string[],
  { mostPairs }: { mostPairs: number },
): Match[] {
  const { begin, end } = equalEnds(left, right)
  const beginnings = Array.from({ length: begin }, (_, item): Match => [item, item])
  const ends = Array.from(
    { length: end },
    (_, item): Match => [left.length - end + item, right.length - end + item],
  )
  const isTooMuch = pairsToCompare(left, right) > mostPairs
  const [restLeft, restRight] = [left, right].map((list) => list.slice(begin, list.length - end))
  const between = isTooMuch ? [] : commonOf(restLeft ?? [], restRight ?? [])
  return [...beginnings, ...between.map(([one, other]): Match => [begin + one, begin + other]), ...ends]
}

function commonOf(left: readonly string[], right: readonly string[]): Match[] {
  const [rows, columns] = [left.length, right.length]
  const width = columns + 1
  // The length of the longest common subsequence from each position on.
  const longest = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number) => longest[row * width + column] ?? 0
  const isEqual = (row: number, column: number) => left[row] === right[column]
  for (let row = rows - 1; row >= 0; row -= 1) {
    for (let column = columns - 1; column >= 0; column -= 1) {
      longest[row * width + column] = isEqual(row, column)
        ? at(row + 1, column + 1) + 1
        : Math.max(at(row + 1, column), at(row, column + 1))
    }
  }
  const matches: Match[] = []
  for (let row = 0, column = 0; row < rows && column < columns; ) {
    if (isEqual(row, column)) {
      matches.push([row, column])
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) row += 1
    else column += 1
  }
  return matches
}

export function pairsToCompare(left: readonly string[], right: readonly string[]): number {
  const { begin, end } = equalEnds(left, right)
  return (left.length - begin - end) * (right.length - begin - end)
}

function equalEnds(left: readonly string[], right: readonly string[]): { begin: number; end: number } {
  const most = Math.min(left.length, right.length)
  let begin = 0
  while (begin < most && left[begin] === right[begin]) begin += 1
  let end = 0
  while (end < most - begin && left.at(-1 - end) === right.at(-1 - end)) end += 1
  return { begin, end }
}
