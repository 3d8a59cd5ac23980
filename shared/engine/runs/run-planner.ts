import type { ExtendRequest, RunRequest } from '../../contracts/run.ts'

/** A run request that can be played. */
export interface RunPlan {
  /** With every default filled in, those of the method too. */
  request: RunRequest
  /** The ids of the tasks, in the order in which they are played. */
  tasks: string[]
  /** Whether every endpoint of the run states prices. */
  priced: boolean
}

/**
 * Knows environments, methods and endpoints, and so what can be played; given by the entry point.
 *
 * @throws EspalierError naming the field and the choices
 */
export interface RunPlanner {
  plan(request: RunRequest): Promise<RunPlan>
  /** The request with more budget, for a run that has ended. */
  extend(request: RunRequest, extension: ExtendRequest): RunRequest
  /** Refuses caps that cannot be kept. */
  checkLimits(request: RunRequest): void
}
