import type { z } from 'zod'
import type { Json, JsonObject } from '../contracts/json.ts'
import type { TreeAnswer } from '../contracts/tree.ts'
import type { Learned } from '../engine/runs/run-planner.ts'
import type { EnvironmentGuide } from '../environments/environment.ts'
import type { PromptBook } from '../prompts/prompt-book.ts'
import type { PromptTemplate } from '../prompts/prompt-template.ts'
import type { Asked } from '../search/search-scope.ts'
import type { Effort, EffortBounds } from './effort.ts'
import type { LearnScope, MethodScope } from './method-scope.ts'
import type { AgentKnowledge } from './prompts/agent-prompt.ts'
import type { TurnActions } from './turn-actions.ts'

/**
 * How an episode is played: an async function over the episode's scope, written as if it never failed, and a schema of
 * its parameters whose defaults are the source paper's.
 */
export interface Method<Parameters extends object = object> {
  readonly id: string
  readonly description: string
  /** The paper, and what of it this is. */
  readonly source: string
  readonly parameters: z.ZodType<Parameters>
  /** Where one parameter decides which others there are: the schema of what was given. */
  variant?(given: JsonObject): z.ZodType<Parameters>
  /** Every prompt that it may show, so that a run can replace it. */
  readonly prompts: readonly PromptTemplate[]
  /** Whether it goes back to earlier states, which not every environment can. */
  readonly branches: boolean
  /** Which parameter bounds how long a trajectory gets. */
  horizon(parameters: Parameters): HorizonParameter
  /**
   * The values of parameters that were not given, where they depend on other parameters or on the environment. A run records
   * them, so that it says in full what was played.
   */
  derived?(parameters: Parameters, environment: string): { [parameter: string]: Json | undefined }
  /** Parameters that only add to what was played when they grow: the ones that `extend` may change. */
  extendable(parameters: Parameters): readonly string[]
  /** Which node is the episode's answer. */
  answer(parameters: Parameters): TreeAnswer
  /** The system prompt of the policy. */
  system(parameters: Parameters, book: PromptBook, guide: EnvironmentGuide, knowledge: AgentKnowledge): string
  /** Actions of the agent that do not go to the environment. */
  turnActions?(parameters: Parameters): TurnActions
  /** Whether it runs programs that a model wrote. */
  readonly runsPrograms?: boolean
  /** The roles that it asks beside the policy. */
  roles?(parameters: Parameters): readonly Exclude<Asked, 'policy'>[]
  /** How many model calls an episode makes, for an estimate before a run. */
  effort(parameters: Parameters, bounds: EffortBounds): Effort
  /** What its episodes learn from each other; without it, nothing. */
  sharing?(parameters: Parameters): Sharing | null
  play(scope: MethodScope, parameters: Parameters): Promise<void>
  /** What a learning episode does; with `sharing` that asks for some. */
  learn?(scope: LearnScope, parameters: Parameters): Promise<void>
  /** How many model calls a learning episode makes. */
  learningEffort?(parameters: Parameters): Effort
}

/** A parameter that counts actions, or the depth of a tree. */
export interface HorizonParameter {
  name: 'max_steps' | 'max_depth' | 'max_actions'
  /** How many actions a trajectory may have more than the parameter says: 1 where leaves lie below the depth that it names. */
  beyond: 0 | 1
}

/** The horizon of methods whose `max_steps` is the longest trajectory. */
export const maxStepsHorizon: HorizonParameter = { name: 'max_steps', beyond: 0 }

/** A library, or a memory, of an earlier run. */
export interface EarlierRead {
  kind: Learned
  param: string
  id: string
  /** How many notes are shown when an episode begins, the newest first. @default all */
  most?: number
}

/** What the episodes of a run learn from each other, and from an earlier run. */
export interface Sharing {
  /** What its episodes leave for others. */
  writes: Learned | null
  /** What of an earlier run is read, by the parameter that names it. */
  reads: EarlierRead | null
  /** Learning episodes before all others, from so many tasks of each group; null: none. */
  learning: {
    tasks: number
    ids: readonly string[] | null
    by: 'type' | 'environment'
    /** Once for each epoch of the run, instead of once. */
    eachEpoch: boolean
  } | null
  /** How many episodes play side by side before what they learned is read; null: all. */
  roundSize: number | null
  /** Reads whatever is there, so that no run can be repeated exactly. */
  live: boolean
}
