import type { z } from 'zod'
import type { EnvironmentGuide } from '../environments/environment.ts'
import type { Effort, EffortBounds } from './effort.ts'
import type { MethodScope } from './method-scope.ts'
import type { Prompt } from './prompts/prompt.ts'

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
  /** Parameters that only add to what was played when they grow: the ones that `extend` may change. */
  readonly extendable: readonly string[]
  /** Whether it goes back to earlier states, which not every environment can. */
  readonly branches: boolean
  /** What its model is told before it plays. */
  prompt(guide: EnvironmentGuide): Prompt
  /** Which node is the episode's answer: where a single path ends, or the best one a search found. */
  readonly answer: 'last' | 'best'
  /** How many model calls an episode makes, for an estimate before a run. */
  effort(parameters: Parameters, bounds: EffortBounds): Effort
  play(scope: MethodScope, parameters: Parameters): Promise<void>
}
