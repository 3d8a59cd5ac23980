/**
 * How promising an action is by PUCT: its value Q plus c·P·√N(s) / (1 + N(s,a)). At a state from which nothing was tried
 * yet it is Q + c·P, so that the first choice follows the prior.
 *
 * @param child - the edge's statistics; Q is the mean of what was backed up, 0 without visits
 * @param parentVisits - N(s): how often an action was taken from the state, the sum over its children; the visit that
 * evaluated the state itself is not one of them
 * @param exploration - c; ExACT uses 1
 * @param value - Q, where it is not the mean ({@link edgeValue})
 * @see Silver et al. 2017 (AlphaGo Zero), methods, Select; Yu et al. 2024, ExACT (arXiv 2410.02052), R-MCTS selection; the
 * case N(s) = 0 as in its code
 * @example
 * selectChild(tree, node, (child) => puct(child, node.visits - 1, 1))
 */
export function puct(
  child: { visits: number; value_sum: number; prior: number },
  parentVisits: number,
  exploration: number,
  value = child.visits === 0 ? 0 : child.value_sum / child.visits,
): number {
  const spread = parentVisits === 0 ? 1 : Math.sqrt(parentVisits) / (1 + child.visits)
  return value + exploration * child.prior * spread
}
