import { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import type { JsonObject } from '../contracts/json.ts'
import { describeInvalid } from '../contracts/validation/describe-invalid.ts'

/** What an environment lets a run set of its rules: a strict schema in which every option has a default. */
export type EnvironmentOptionsSchema = z.ZodType<JsonObject>

/** Whatever has options: an environment's definition, or an environment that a host serves. */
export interface HasOptions {
  readonly id: string
  readonly options?: EnvironmentOptionsSchema
}

/**
 * The options of an environment with its defaults filled in.
 *
 * @param given as a run request has them; absent: every default
 * @returns an empty object where the environment has no options
 * @throws EspalierError `unknown_field` or `invalid_request`, naming the option and what it takes
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

/** The options as a JSON Schema with their defaults, for the catalogue; null where there are none. */
export function describeEnvironmentOptions({ options }: HasOptions): JsonObject | null {
  return options === undefined ? null : (z.toJSONSchema(options, { io: 'input' }) as JsonObject)
}
