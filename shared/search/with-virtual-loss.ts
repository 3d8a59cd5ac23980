/**
 * The statistics of an edge as if the visits that are under way had already come back with the worst value, so that
 * leaves selected one after the other for the same wave spread over the tree. Give it to the selection rule for the
 * child and, for N(s), count the visits under way at the parent in the same way.
 *
 * @param underWay - visits selected and not yet backed up; 0 changes nothing
 * @param loss - the value they count as: the least of the scale in use (−1 for the debate's)
 * @see Chaslot et al. 2008, Parallel Monte-Carlo Tree Search: virtual loss
 * @example
 * ucb1(withVirtualLoss(child, 1), withVirtualLoss(parent, 1), 0.25)
 */
export function withVirtualLoss<Edge extends { visits: number; value_sum: number }>(
  edge: Edge,
  underWay: number,
  loss = 0,
): Edge {
  return { ...edge, visits: edge.visits + underWay, value_sum: edge.value_sum + loss * underWay }
}
