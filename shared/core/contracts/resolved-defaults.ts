import { z } from 'zod'
import { methodModuleSchema } from './catalogue.ts'
import { jsonObjectSchema } from './json.ts'

export const horizonSchema = z
  .object({
    parameter: z.string().describe('The parameter of the method that sets it.'),
    least: z.int().positive().describe('Smallest limit among the tasks, in actions.'),
    most: z
      .int()
      .positive()
      .describe('Largest limit among the tasks, in actions; equals `least` if all tasks have the same.'),
    from: z
      .enum(['request', 'method', 'environment', 'task'])
      .describe(
        'The source of the value: the request, a default of the method, the default of the environment, or each task.',
      ),
  })
  .meta({ id: 'Horizon' })

export type Horizon = z.infer<typeof horizonSchema>

/**
 * The settled values of the request's open fields: the horizon, and the parameters whose default depends on others or
 * on the environment. Together with the request it is every setting of the method.
 */
export const resolvedDefaultsSchema = z
  .object({
    horizon: horizonSchema,
    parameters: jsonObjectSchema.describe(
      'Values of the method’s parameters that the request omits and that have no fixed default.',
    ),
    module: methodModuleSchema
      .exactOptional()
      .describe(
        'The file of an added method, and its version when the run was made or last extended; absent for methods that come with Espalier.',
      ),
    tasks: z.string().exactOptional().describe('The number of its tasks, with the digest of their ids.'),
    scorer: z.string().exactOptional().describe('The version of the rules by which the environment rewards.'),
    warnings: z
      .array(z.string())
      .exactOptional()
      .describe(
        'Workarounds of the run, such as estimating prompts because a tokenizer does not work; absent if there are none.',
      ),
  })
  .meta({ id: 'ResolvedDefaults' })

export type ResolvedDefaults = z.infer<typeof resolvedDefaultsSchema>

const sources: Readonly<Record<Horizon['from'], string>> = {
  request: 'as requested',
  method: "the method's default",
  environment: "the environment's default",
  task: 'by task',
}

/**
 * A horizon in words.
 * @example
 * describeHorizon({ parameter: 'max_steps', least: 10, most: 100, from: 'task' }) // '10-100 actions (max_steps), by
 * task'
 */
export function describeHorizon({ parameter, least, most, from }: Horizon): string {
  const length = least === most ? `${most}` : `${least}-${most}`
  return `${length} ${most === 1 ? 'action' : 'actions'} (${parameter}), ${sources[from]}`
}
