export interface CostAndQuality {
  cost: number | null
  quality: number | null
}

/**
 * Marks the points that no other beats: none is as good or better for as little money or less, and better in one of
 * the two (the Pareto front of cost and quality, as in Kapoor et al. 2024, "AI Agents That Matter", arXiv
 * 2407.01502). A point with an unknown coordinate is not on it.
 */
export function markFront(points: readonly CostAndQuality[]): boolean[] {
  return points.map(
    (point) => isKnown(point) && !points.some((other) => isKnown(other) && beats(other, point)),
  )
}

type Known = { cost: number; quality: number }

function isKnown(point: CostAndQuality): point is Known {
  return point.cost !== null && point.quality !== null
}

function beats(one: Known, other: Known): boolean {
  const isNoWorse = one.cost <= other.cost && one.quality >= other.quality
  return isNoWorse && (one.cost < other.cost || one.quality > other.quality)
}
