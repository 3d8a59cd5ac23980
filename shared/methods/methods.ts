import type { z } from 'zod'
import { EspalierError } from '../contracts/errors.ts'
import type { JsonObject } from '../contracts/json.ts'
import { describeInvalid } from '../contracts/validation/describe-invalid.ts'
import type { PromptTemplate } from '../prompts/prompt-template.ts'
import { act } from './act/act.ts'
import { bestFirst } from './best-first/best-first.ts'
import { bestOfN } from './best-of-n/best-of-n.ts'
import { codeAsPolicy } from './code-as-policy/code-as-policy.ts'
import { learnact } from './learnact/learnact.ts'
import { mcts } from './mcts/mcts.ts'
import type { Method } from './method.ts'
import { react } from './react/react.ts'
import { reflexion } from './reflexion/reflexion.ts'
import { rmcts } from './rmcts/rmcts.ts'
import { treeOfThoughts } from './tree-of-thoughts/tree-of-thoughts.ts'

/** Every method there is. A new one is added here, with its prompts beside it. */
export const methods: readonly Method[] = [
  act,
  react,
  reflexion,
  codeAsPolicy,
  learnact,
  bestOfN,
  bestFirst,
  treeOfThoughts,
  mcts,
  rmcts,
]

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
  const schema = schemaOf(method, given)
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data as JsonObject
  throw describeInvalid(parsed.error, {
    part: 'json',
    schema,
    value: given,
    at: ['method'],
  })
}

/** The schema of a method's parameters, where one of them decides which others there are. */
export function schemaOf(method: Method, given: JsonObject): z.ZodType<object> {
  return method.variant?.(given) ?? method.parameters
}

/** Every prompt that a run of the method can replace, each once. */
export function promptsOf(method: Method): readonly PromptTemplate[] {
  return [...new Map(method.prompts.map((prompt) => [prompt.id, prompt])).values()]
}
