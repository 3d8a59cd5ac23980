import { z } from 'zod'
import type { MethodInfo } from '../contracts/catalogue.ts'
import { EspalierError } from '../contracts/errors.ts'
import type { JsonObject } from '../contracts/json.ts'
import { describeInvalid } from '../contracts/validation/describe-invalid.ts'
import { mcts } from './mcts/mcts.ts'
import type { Method } from './method.ts'
import { react } from './react/react.ts'

/** Every method there is. A new one is added here, and its prompts in prompts/. */
export const methods: readonly Method[] = [react, mcts]

/** @throws EspalierError `unknown_method` */
export function findMethod(id: string): Method {
  const method = methods.find((candidate) => candidate.id === id)
  if (!method) {
    const choices = methods.map((candidate) => candidate.id).join(', ')
    throw new EspalierError('unknown_method', `There is no method "${id}". Choose one of: ${choices}.`, {
      param: 'method.id',
    })
  }
  return method
}

/**
 * A method's parameters with their defaults filled in.
 *
 * @throws EspalierError `unknown_field` or `invalid_request`, naming the parameter and what it takes
 */
export function parseMethodParameters(method: Method, given: JsonObject): JsonObject {
  const parsed = method.parameters.safeParse(given)
  if (parsed.success) return parsed.data as JsonObject
  throw describeInvalid(parsed.error, {
    part: 'json',
    schema: method.parameters,
    value: given,
    at: ['method'],
  })
}

/** A method as the API lists it. */
export function describeMethod({ id, description, source, parameters }: Method): MethodInfo {
  const schema = z.toJSONSchema(parameters, { io: 'input' }) as JsonObject
  return { id, object: 'method', description, source, parameters: schema }
}
