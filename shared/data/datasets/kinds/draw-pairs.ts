import type { Random } from '../../../core/random/random.ts'

export interface PairField<Side> {
  better: readonly Side[]
  worse: readonly Side[]
}

interface Ranked {
  readonly reward: number
}

export interface DrawRules {
  /** Minimum difference of a pair's rewards, exclusive. */
  margin: number
  most: number | null
}

/**
 * Draws pairs of a better side and one whose reward is lower by more than the margin, up to a maximum. Does not list
 * all pairs: a thousand sides have half a million.
 *
 * @returns in the order of the fields and of their sides, one by one
 */
export function drawPairs<Side extends Ranked>(
  fields: readonly PairField<Side>[],
  { margin, most }: DrawRules,
  random: Random,
): Generator<readonly [better: Side, worse: Side]> {
  const spans = spansOf(fields, margin)
  const total = spans.reduce((sum, { count }) => sum + count, 0)
  return pairsAt(spans, most === null || most >= total ? upTo(total) : drawIndices(total, most, random))
}

export function allPairs<Side extends Ranked>(
  fields: readonly PairField<Side>[],
  margin: number,
): Generator<readonly [better: Side, worse: Side]> {
  return drawPairs(fields, { margin, most: null }, () => 0)
}

interface Span<Side> {
  side: Side
  worse: readonly Side[]
  first: number
  count: number
}

function spansOf<Side extends Ranked>(fields: readonly PairField<Side>[], margin: number): Span<Side>[] {
  return fields.flatMap(({ better, worse }) =>
    better.map((side) => {
      const first = firstIndex(worse.length, (at) => side.reward - (worse[at]?.reward ?? 0) > margin)
      return { side, worse, first, count: worse.length - first }
    }),
  )
}

function* pairsAt<Side>(
  spans: readonly Span<Side>[],
  indices: Iterable<number>,
): Generator<readonly [better: Side, worse: Side]> {
  let [span, start] = [0, 0]
  for (const index of indices) {
    while (index >= start + (spans[span]?.count ?? 0)) {
      start += spans[span]?.count ?? 0
      span += 1
    }
    const { first, side, worse } = spans[span] as Span<Side>
    yield [side, worse[first + index - start] as Side]
  }
}

function* upTo(total: number): Generator<number> {
  for (let index = 0; index < total; index += 1) yield index
}

function firstIndex(length: number, holds: (index: number) => boolean): number {
  let [low, high] = [0, length]
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}

/** Some of the numbers below `total`, each equally likely (Floyd's algorithm), in their order. */
function drawIndices(total: number, count: number, random: Random): number[] {
  const drawn = new Set<number>()
  for (let last = total - count; last < total; last += 1) {
    const index = Math.floor(random() * (last + 1))
    drawn.add(drawn.has(index) ? last : index)
  }
  return [...drawn].toSorted((left, right) => left - right)
}
