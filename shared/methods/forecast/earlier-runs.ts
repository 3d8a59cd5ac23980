import { isDeepStrictEqual } from 'node:util'
import type { Run, RunRequest } from '../../contracts/run.ts'
import { addUsage, noUsage, type Usage } from '../../contracts/usage.ts'
import type { Runs } from '../../engine/runs/runs.ts'
import { scaleUsage } from './range.ts'

/** How many of the newest runs are looked at. */
const looked = 100

/** What episodes of earlier runs took, on average. */
export interface Earlier {
  runs: string[]
  episodes: number
  /** Whether they played the same tasks. */
  sameTasks: boolean
  /** Whether their episodes had the same limits, not none. */
  sameLimits: boolean
  /** Which part of them their limits ended. */
  limited: number
  mean: Usage
}

/**
 * Looks for ended runs of the same environment, method and model whose episodes had the same limits or none; those
 * of the same limits and the same tasks alone, where there are any. Reads no more than a page of the list of runs.
 *
 * @param request - with every default filled in
 */
export async function findEarlier(runs: Pick<Runs, 'list'>, request: RunRequest): Promise<Earlier | null> {
  const { data } = await runs.list({ limit: looked })
  const alike = data.filter((run) => isAlike(run, request))
  const bounded = preferred(alike, (run) =>
    isDeepStrictEqual(run.request.episode_limits, request.episode_limits),
  )
  const { chosen: found, preferred: sameTasks } = preferred(bounded.chosen, (run) =>
    isDeepStrictEqual(run.request.tasks, request.tasks),
  )
  if (found.length === 0) return null
  const episodes = found.reduce((sum, run) => sum + run.episodes.total, 0)
  const used = found.reduce((sum, { usage }) => addUsage(sum, usage), noUsage)
  return {
    runs: found.map(({ id }) => id),
    episodes,
    sameTasks,
    sameLimits: bounded.preferred,
    limited: found.reduce((sum, run) => sum + run.episodes.limited, 0) / episodes,
    mean: scaleUsage(used, 1 / episodes),
  }
}

/** Those that it holds for, or else all. */
function preferred(runs: Run[], holds: (run: Run) => boolean): { chosen: Run[]; preferred: boolean } {
  const better = runs.filter(holds)
  return better.length > 0 ? { chosen: better, preferred: true } : { chosen: runs, preferred: false }
}

/** Only whole runs count: in others some episodes have not used all that they will. */
function isAlike({ status, episodes, request: earlier }: Run, request: RunRequest): boolean {
  const whole = status === 'succeeded' && episodes.errored === 0 && episodes.cancelled === 0
  const limits = earlier.episode_limits
  return (
    whole &&
    earlier.environment === request.environment &&
    isDeepStrictEqual(earlier.method, request.method) &&
    isDeepStrictEqual(earlier.model, request.model) &&
    isDeepStrictEqual(earlier.roles, request.roles) &&
    (Object.keys(limits).length === 0 || isDeepStrictEqual(limits, request.episode_limits))
  )
}
