/** The statistics of an edge of the tree, an action taken in a state. Without visits the other two mean nothing. */
export interface EdgeStatistics {
  visits: number
  value_sum: number
  value_max: number
}

export type Backup = 'mean' | 'max'

export const unvisited: Readonly<EdgeStatistics> = { visits: 0, value_sum: 0, value_max: 0 }

/**
 * The statistics after one more backed-up value. The mean of the sum is ExACT's running mean, Q ← (N·Q + v) / (N +
 * 1); there is no discount and no change of sign.
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

/** Q(s,a): the mean or the maximum of the backed-up values; 0 without any, as in ExACT. */
export function edgeValue({ visits, value_sum, value_max }: EdgeStatistics, backup: Backup): number {
  if (visits === 0) return 0
  return backup === 'mean' ? value_sum / visits : value_max
}

/**
 * The UCB1 score of a child: its mean value plus an exploration term, W/n + c·√(ln N / n). It is infinite for a child
 * without visits, so that every child is tried once.
 *
 * @param exploration - c; Agent-R uses 0.25
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

/**
 * The PUCT score of an action: Q + c·P·√N(s) / (1 + N(s,a)). In a state without earlier actions it is Q + c·P, so
 * that the first choice follows the prior.
 *
 * @param child - the edge's statistics; Q is the mean of the backed-up values, 0 without visits
 * @param parentVisits - N(s): number of actions taken in the state, the sum over its edges; the visit that evaluated
 * the state itself does not count
 * @param exploration - c; ExACT uses 1
 * @param value - Q, if it is not the mean ({@link edgeValue})
 * @see Silver et al. 2017 (AlphaGo Zero), methods, Select; Yu et al. 2024, ExACT (arXiv 2410.02052), R-MCTS
 * selection; the case N(s) = 0 as in its code
 * @example
 * puct({ visits: 3, value_sum: 1.5, prior: 0.4 }, 9, 1) // 0.5 + 0.4 · 3 / 4 = 0.8
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

export type ExplorationSchedule = 'constant' | 'linear' | 'exponential' | 'cosine'

/**
 * The exploration constant at iteration i of N: c · f(i / N), with f decreasing from 1 to `end`: linear 1 − (1 −
 * end)·x, exponential exp(ln(end)·x), cosine cos(arccos(end)·x); with `constant` it stays at 1. ExACT's three
 * changing schedules ignore c; here c scales them, which is the same at its default of 1.
 *
 * @param iteration - from 0
 * @param iterations - N, at least 1
 * @param options - `exploration` is c; `end` the share of it at i = N, 0 to 1
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for desktops: `c_func`, `cpuct_end`
 */
export function explorationAt(
  iteration: number,
  iterations: number,
  { exploration, schedule, end }: { exploration: number; schedule: ExplorationSchedule; end: number },
): number {
  return exploration * shareAt(iteration / iterations, schedule, end)
}

function shareAt(progress: number, schedule: ExplorationSchedule, end: number): number {
  switch (schedule) {
    case 'constant':
      return 1
    case 'linear':
      return 1 - (1 - end) * progress
    case 'exponential':
      // A power, because exp(ln(end)·x) is undefined for end = 0 and x = 0.
      return end ** progress
    case 'cosine':
      return Math.cos(Math.acos(end) * progress)
  }
}

export function selectHighest<Candidate>(
  candidates: Iterable<Candidate>,
  scoreOf: (candidate: Candidate) => number,
): Candidate | null {
  let selected: Candidate | null = null
  let highest = Number.NEGATIVE_INFINITY
  for (const candidate of candidates) {
    const score = scoreOf(candidate)
    if (selected !== null && score <= highest) continue
    selected = candidate
    highest = score
  }
  return selected
}
