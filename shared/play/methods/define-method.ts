import { z } from 'zod'
import type { JsonObject } from '../../core/contracts/json.ts'
import type { Effort, EffortBounds } from './effort.ts'
import { type HorizonParameter, type Method, maxStepsHorizon } from './method.ts'
import { singlePathEffort } from './play-paths.ts'
import { renderAgentPrompt } from './prompts/agent-prompt.ts'
import { reactPrompt } from './prompts/react-prompt.ts'

type Stated = 'id' | 'description' | 'branches' | 'play'

export type MethodDeclaration<Parameters extends object = object> = Pick<Method<Parameters>, Stated> &
  Partial<Omit<Method<Parameters>, Stated | 'parameters'>> & {
    /** A strict zod schema, or a JSON Schema of an object. Each parameter is optional or has a default. */
    parameters: z.ZodType<Parameters> | JsonObject
  }

/**
 * Defines a method and fills in the defaults:
 *
 * - `source` says that it is the author's own;
 * - `system` is the prompt of `react`, which `prompts` then lists;
 * - `horizon` is `max_steps`, `answer` the last node, and nothing is `extendable`;
 * - `effort` assumes one call for each action, of the policy and of each of `roles`, and forecasts say so.
 *
 * @example
 * export const twice = defineMethod({
 *   id: 'twice',
 *   description: 'Asks twice at each state, and takes the second answer.',
 *   branches: false,
 *   parameters: z.strictObject({ max_steps: maxStepsParameter }),
 *   async play(scope, { max_steps = scope.defaultMaxSteps }) { … },
 * })
 */
export function defineMethod<Parameters extends object>(
  declaration: MethodDeclaration<Parameters>,
): Method<Parameters> {
  const { parameters, prompts, system, roles } = declaration
  const ownSystem = system !== undefined
  const schema = isZodSchema(parameters)
    ? parameters
    : (z.fromJSONSchema(withoutOthers(parameters)) as unknown as z.ZodType<Parameters>)
  return {
    source: 'A method of its own, without a paper.',
    horizon: () => maxStepsHorizon,
    extendable: () => [],
    answer: () => 'last',
    system: (_, ...parts) => renderAgentPrompt(reactPrompt, ...parts),
    effort: (given, bounds) => assumedEffort(given, bounds, declaration.horizon?.(given), roles?.(given)),
    ...declaration,
    parameters: schema,
    prompts: prompts ?? (ownSystem ? [] : [reactPrompt.template]),
  }
}

export function isZodSchema<Parameters extends object>(
  value: z.ZodType<Parameters> | JsonObject,
): value is z.ZodType<Parameters> {
  return typeof value === 'object' && value !== null && '_zod' in value && 'safeParse' in value
}

function withoutOthers(schema: JsonObject): JsonObject {
  return { additionalProperties: false, ...schema }
}

function assumedEffort(
  parameters: object,
  bounds: EffortBounds,
  { name, beyond }: HorizonParameter = maxStepsHorizon,
  roles: readonly NonNullable<Effort['others']>[number]['role'][] = [],
): Effort {
  const given = (parameters as JsonObject)[name]
  const longest = typeof given === 'number' ? given + beyond : bounds.max_steps
  const path = singlePathEffort({ max_steps: longest }, bounds)
  const { expected, at_most } = path
  return {
    ...path,
    others: roles.map((role) => ({ role, expected, at_most, answers: 1 })),
    reason:
      'one call for each action of trajectories half as long as they can get, for want of better figures',
    assumed: true,
  }
}
