/** What is known of an edge of the tree, an action taken in a state. Without visits the other two say nothing. */
export interface EdgeStatistics {
  visits: number
  value_sum: number
  value_max: number
}

/** How an edge sums up the values that came back through it. */
export type Backup = 'mean' | 'max'

export const unvisited: Readonly<EdgeStatistics> = { visits: 0, value_sum: 0, value_max: 0 }

/**
 * The statistics after one more value came back. The mean of the sum is ExACT's running mean,
 * Q ← (N·Q + v) / (N + 1); there is no discount and no change of sign.
 *
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), R-MCTS back-propagation
 */
export function backUpValue({ visits, value_sum, value_max }: EdgeStatistics, value: number): EdgeStatistics {
  return {
    visits: visits + 1,
    value_sum: value_sum + value,
    value_max: visits === 0 ? value : Math.max(value_max, value),
  }
}

/** Q(s,a): the mean or the greatest of what came back; 0 before anything did, as in ExACT. */
export function edgeValue({ visits, value_sum, value_max }: EdgeStatistics, backup: Backup): number {
  if (visits === 0) return 0
  return backup === 'mean' ? value_sum / visits : value_max
}
