/**
 * How promising a child is: its mean value plus an exploration term; infinite for one that was never visited, so that
 * every child is tried once.
 *
 * @param exploration - the constant of the exploration term; Agent-R uses 0.25
 * @see Auer et al. 2002, UCB1; Kocsis and Szepesvári 2006 (UCT)
 */
export function ucb1(
  child: { visits: number; value_sum: number },
  parent: { visits: number },
  exploration: number,
): number {
  if (child.visits === 0) return Number.POSITIVE_INFINITY
  return child.value_sum / child.visits + exploration * Math.sqrt(Math.log(parent.visits) / child.visits)
}
