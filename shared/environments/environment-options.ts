import { z } from 'zod'
import { EspalierError } from '../core/contracts/errors.ts'
import type { JsonObject } from '../core/contracts/json.ts'
import { describeInvalid } from '../core/contracts/validation/describe-invalid.ts'

export type EnvironmentOptionsSchema = z.ZodType<JsonObject>

export interface HasOptions {
  readonly id: string
  readonly options?: EnvironmentOptionsSchema
}

/**
 * Fills in the defaults of an environment's options.
 * @param given options of the run request; absent: every default
 * @returns an empty object if the environment has no options
 * @throws EspalierError `unknown_field` or `invalid_request`, naming the option and its type
 */
export function parseEnvironmentOptions({ id, options }: HasOptions, given: JsonObject = {}): JsonObject {
  if (options === undefined) {
    const [first] = Object.keys(given)
    if (first === undefined) return {}
    throw new EspalierError(
      'invalid_request',
      `${id} has no options, so "${first}" cannot be set. Leave "environment_options" out.`,
      { param: `environment_options.${first}` },
    )
  }
  const parsed = options.safeParse(given)
  if (parsed.success) return parsed.data
  throw describeInvalid(parsed.error, {
    part: 'json',
    schema: options,
    value: given,
    at: ['environment_options'],
  })
}

export function describeEnvironmentOptions({ options }: HasOptions): JsonObject | null {
  return options === undefined ? null : (z.toJSONSchema(options, { io: 'input' }) as JsonObject)
}
