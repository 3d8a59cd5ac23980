import { z } from 'zod'
import { EspalierError } from './errors.ts'

/** The last failure that kept calls to a model unanswered. Never holds a key. */
export const lastProblemSchema = z
  .object({
    message: z
      .string()
      .describe('A description of the problem, with the time of the next try if there is one.'),
    at: z.iso.datetime(),
  })
  .meta({ id: 'LastProblem' })

export type LastProblem = z.infer<typeof lastProblemSchema>

/**
 * The outcome of a model call that failed permanently. `refused`: the provider serves no call until a person fixes
 * the key, the credit or the model's name. `invalid`: it refused this request. `unreachable`: it took no connection.
 * `no_answer`: its response was no answer. `other`: overload, a time-out, a broken connection.
 */
export type ModelFailure = 'refused' | 'invalid' | 'unreachable' | 'no_answer' | 'other'

export function modelFailureOf(error: unknown): ModelFailure | null {
  if (error instanceof AggregateError) {
    for (const inner of error.errors) {
      const failure = modelFailureOf(inner)
      if (failure !== null) return failure
    }
    return null
  }
  if (!EspalierError.isInstance(error)) return null
  if ('failure' in error) return error.failure as ModelFailure
  // An endpoint without its key, or one no longer configured.
  const isMissing = error.code === 'unknown_endpoint' || error.param?.startsWith('endpoints.') === true
  return isMissing ? 'refused' : null
}
