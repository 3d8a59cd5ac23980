import type { z } from 'zod'
import type { Json, JsonObject } from '../../core/contracts/json.ts'
import type { TreeAnswer } from '../../core/contracts/tree.ts'
import type { Learned } from '../../core/engine/runs/run-planner.ts'
import type { EnvironmentGuide } from '../../environments/environment.ts'
import type { PromptBook } from '../search/prompt-book.ts'
import type { PromptTemplate } from '../search/prompt-template.ts'
import type { Asked } from '../search/search-scope.ts'
import type { Effort, EffortBounds } from './effort.ts'
import type { LearnScope, MethodScope } from './method-scope.ts'
import type { AgentKnowledge } from './prompts/agent-prompt.ts'
import type { TurnActions } from './turn-actions.ts'

/**
 * Plays an episode: an async function over the episode's scope, written as if it never failed, and a schema of its
 * parameters whose defaults are the source paper's.
 */
export interface Method<Parameters extends object = object> {
  readonly id: string
  readonly description: string
  readonly source: string
  readonly parameters: z.ZodType<Parameters>
  /** If one parameter decides which others exist: the schema for these values. */
  variant?(given: JsonObject): z.ZodType<Parameters>
  readonly prompts: readonly PromptTemplate[]
  readonly branches: boolean
  horizon(parameters: Parameters): HorizonParameter
  /**
   * The defaults of omitted parameters that depend on other parameters or on the environment. A run records them, so
   * that it states all its settings.
   */
  derived?(parameters: Parameters, environment: string): { [parameter: string]: Json | undefined }
  /** Parameters that only extend the search when they grow: `extend` may change these. */
  extendable(parameters: Parameters): readonly string[]
  answer(parameters: Parameters): TreeAnswer
  system(parameters: Parameters, book: PromptBook, guide: EnvironmentGuide, knowledge: AgentKnowledge): string
  turnActions?(parameters: Parameters): TurnActions
  readonly runsPrograms?: boolean
  roles?(parameters: Parameters): readonly Exclude<Asked, 'policy'>[]
  effort(parameters: Parameters, bounds: EffortBounds): Effort
  sharing?(parameters: Parameters): Sharing | null
  play(scope: MethodScope, parameters: Parameters): Promise<void>
  learn?(scope: LearnScope, parameters: Parameters): Promise<void>
  learningEffort?(parameters: Parameters): Effort
}

export interface HorizonParameter {
  name: 'max_steps' | 'max_depth' | 'max_actions'
  /** Extra actions of a trajectory beyond the parameter: 1 if leaves lie below the depth that it names. */
  beyond: 0 | 1
}

export const maxStepsHorizon: HorizonParameter = { name: 'max_steps', beyond: 0 }

export interface EarlierRead {
  kind: Learned
  param: string
  id: string
  /** Number of notes shown when an episode begins, the newest first. @default all */
  most?: number
}

export interface Sharing {
  writes: Learned | null
  reads: EarlierRead | null
  /** Learning episodes before all others, with this many tasks of each group; null: none. */
  learning: {
    tasks: number
    ids: readonly string[] | null
    by: 'type' | 'environment'
    eachEpoch: boolean
    counts?: boolean
  } | null
  /** Number of concurrent episodes before their knowledge is read; null: all. */
  roundSize: number | null
  /** Reads whatever is stored at that moment, so that no run can be repeated exactly. */
  live: boolean
}
