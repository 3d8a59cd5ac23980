import type { EpisodePurpose } from '../../contracts/episode.ts'
import type { GroupSettings } from '../../contracts/group-settings.ts'
import type { Provenance } from '../../contracts/provenance.ts'
import type { ResolvedDefaults } from '../../contracts/resolved-defaults.ts'
import type { ExtendRequest, RunRequest } from '../../contracts/run.ts'

export interface RunPlan {
  request: RunRequest
  resolved?: ResolvedDefaults
  tasks: string[]
  priced: boolean
  provenance?: Provenance
  learning?: LearningPlan[]
  /**
   * Ordinary episodes per round: a round begins when all earlier episodes have ended, so that it sees their output.
   * Null: all of them are one round.
   * @default null
   */
  round_size?: number | null
  writes?: Learned[]
  reads?: { kind: Learned; param: string; id: string }[]
  /** The types of the tasks: memories and libraries must be for them. @default unknown */
  types?: string[]
  /**
   * True if episodes read the others' output while they are played, so that no second run reproduces it. @default
   * false
   */
  live?: boolean
  purpose?: RunPurpose
  rollout?: GroupSettings
}

export type RunSettings = Pick<RunPlan, 'request' | 'resolved' | 'rollout'>

export type RunPurpose = Exclude<EpisodePurpose, 'learn'>

export type Learned = 'memory' | 'library'

export interface LearningPlan {
  group: string
  tasks: string[]
  /** The epoch that it learns for, if a run learns for each. @default 0: for all */
  epoch?: number
}

/**
 * Knows environments, methods and endpoints, and so the playable runs; the entry point supplies it.
 * @throws EspalierError naming the field and the choices
 */
export interface RunPlanner {
  plan(request: RunRequest, tenant?: string): Promise<RunPlan>
  planAnnotations(request: RunRequest, episodes: string[], tenant?: string): RunPlan | Promise<RunPlan>
  /** The settings of an ended run with more budget. Values settled at its creation stay. */
  extend(settings: RunSettings, extension: ExtendRequest): RunSettings
  provenanceOf(request: Pick<RunRequest, 'environment' | 'data'>): Provenance
  checkLimits(request: RunRequest): void
}
