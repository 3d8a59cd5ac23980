/** How many children a node gets: the same everywhere, or fewer further down. */
export type BranchingSchedule = 'constant' | 'decaying'

/**
 * The number of children of a node at a depth: `branching`, or max(2, trunc(branching · exp(−(ln 2 / coefficient) · depth))),
 * which halves it every `coefficient` levels. It is never more than `branching`, also where that is 1.
 *
 * @param depth - of the node that is expanded; 0 at the root
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for OSWorld: `bfactor_func`, coefficient 1
 */
export function branchingAt(
  depth: number,
  {
    branching,
    schedule,
    coefficient,
  }: { branching: number; schedule: BranchingSchedule; coefficient: number },
): number {
  if (schedule === 'constant') return branching
  // 2 ** −x is exact for whole x, where exp(−ln 2 · x) may fall just below a whole number.
  return Math.min(branching, Math.max(2, Math.trunc(branching * 2 ** (-depth / coefficient))))
}
