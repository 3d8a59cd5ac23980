import type { EpisodePurpose } from '../../contracts/episode.ts'
import type { Provenance } from '../../contracts/provenance.ts'
import type { ResolvedDefaults } from '../../contracts/resolved-defaults.ts'
import type { ExtendRequest, RunRequest } from '../../contracts/run.ts'

/** A run request that can be played. */
export interface RunPlan {
  /** With every default filled in, those of the method too. */
  request: RunRequest
  /** What the request leaves open, settled. @default nothing is recorded */
  resolved?: ResolvedDefaults
  /** The ids of the tasks, in the order in which they are played. */
  tasks: string[]
  /** Whether every endpoint of the run states prices. */
  priced: boolean
  /** What data the tasks are from. @default not recorded */
  provenance?: Provenance
  /** Episodes that come before all others and learn from tasks of their own. @default none */
  learning?: LearningPlan[]
  /**
   * How many ordinary episodes make a round: those of a round begin when all before it have ended, so that they see what
   * these wrote. Null: all of them are one round.
   *
   * @default null
   */
  round_size?: number | null
  /** What the run leaves for later ones. @default nothing */
  writes?: Learned[]
  /** The memories and libraries that the request names, each with the field that does. @default none */
  reads?: { kind: Learned; param: string; id: string }[]
  /** The types of the tasks: what is read must be for them. @default unknown */
  types?: string[]
  /** Whether episodes read what others write while they are played, so that no second run gives the same. @default false */
  live?: boolean
  /** @default 'play' */
  purpose?: RunPurpose
}

/** What a run plays with: its request, and what was settled of what the request leaves open. */
export type RunSettings = Pick<RunPlan, 'request' | 'resolved'>

/** Whether a run's episodes play tasks, or ask a model about episodes that were played. */
export type RunPurpose = Exclude<EpisodePurpose, 'learn'>

/** What a run can learn: notes, or actions. */
export type Learned = 'memory' | 'library'

/** One learning episode: for which group of tasks it learns, and from which tasks. */
export interface LearningPlan {
  group: string
  tasks: string[]
  /** The epoch that it learns for, where a run learns for each. @default 0: for all */
  epoch?: number
}

/**
 * Knows environments, methods and endpoints, and so what can be played; given by the entry point.
 *
 * @throws EspalierError naming the field and the choices
 */
export interface RunPlanner {
  /** @param tenant - whose run it is: some endpoints are one tenant's */
  plan(request: RunRequest, tenant?: string): Promise<RunPlan>
  /** A run that asks its model about these episodes (`{source}/{episode}`), and plays nothing. */
  planAnnotations(request: RunRequest, episodes: string[], tenant?: string): RunPlan | Promise<RunPlan>
  /** The run's settings with more budget, for a run that has ended. What was settled when it was made stays so. */
  extend(settings: RunSettings, extension: ExtendRequest): RunSettings
  /** What is certain of the data of a run that was stored without its provenance. */
  provenanceOf(request: Pick<RunRequest, 'environment' | 'data'>): Provenance
  /** Refuses caps that cannot be kept. */
  checkLimits(request: RunRequest): void
}
