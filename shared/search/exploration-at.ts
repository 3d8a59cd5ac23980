/** How the exploration constant changes while a search goes on. */
export type ExplorationSchedule = 'constant' | 'linear' | 'exponential' | 'cosine'

/**
 * The exploration constant at iteration i of N: c · f(i / N), where f goes from 1 towards `end`: linear 1 − (1 − end)·x,
 * exponential exp(ln(end)·x), cosine cos(arccos(end)·x); the constant one stays at 1.
 *
 * ExACT's three that change ignore c; here they are scaled by it, which is the same at its default of 1.
 *
 * @param iteration - from 0
 * @param iterations - N, at least 1
 * @param options - `exploration` is c; `end` the share of it that is left at i = N, 0 to 1
 * @see Yu et al. 2024, ExACT (arXiv 2410.02052), its code for OSWorld: `c_func`, `cpuct_end`
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
      // As a power: exp(ln(end)·x) has no value at the start of a way to 0.
      return end ** progress
    case 'cosine':
      return Math.cos(Math.acos(end) * progress)
  }
}
