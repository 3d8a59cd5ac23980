import type { z } from 'zod'
import type { MethodModule } from '../../core/contracts/catalogue.ts'
import { EspalierError } from '../../core/contracts/errors.ts'
import type { JsonObject } from '../../core/contracts/json.ts'
import { describeInvalid } from '../../core/contracts/validation/describe-invalid.ts'
import { unknownName } from '../../core/contracts/validation/nearest-name.ts'
import type { PromptTemplate } from '../search/prompt-template.ts'
import { act } from './act/act.ts'
import { bestFirst } from './best-first/best-first.ts'
import { bestOfN } from './best-of-n/best-of-n.ts'
import { codeAsPolicy } from './code-as-policy/code-as-policy.ts'
import { forkRollouts } from './fork-rollouts/fork-rollouts.ts'
import { learnact } from './learnact/learnact.ts'
import { mcts } from './mcts/mcts.ts'
import type { Method } from './method.ts'
import { react } from './react/react.ts'
import { reflexion } from './reflexion/reflexion.ts'
import { rmcts } from './rmcts/rmcts.ts'
import { treeOfThoughts } from './tree-of-thoughts/tree-of-thoughts.ts'

/** The methods that come with Espalier. Add a new built-in method here, with its prompts beside it. */
export const builtinMethods: readonly Method[] = [
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
  forkRollouts,
]

export interface AddedMethod {
  readonly id: string
  readonly module: MethodModule
  readonly method: Method | { readonly unavailable: string }
  /**
   * Reaches the process of the caller that plays it.
   * @throws EspalierError if the process is gone
   */
  reach?(): Promise<void>
}

export interface LaterMethods {
  find(id: string): AddedMethod | null
  list(): readonly AddedMethod[]
}

export interface Methods {
  list(): readonly Method[]
  /**
   * @throws EspalierError `unknown_method`, with the choices; `method_unavailable` if the file of an added method
   * cannot be loaded, or has changed since the service started
   */
  find(id: string): Method
  moduleOf(id: string): MethodModule | null
  reachOf(id: string): AddedMethod['reach']
}

export function openMethods(
  added: readonly AddedMethod[] = [],
  later: LaterMethods = { find: () => null, list: () => [] },
): Methods {
  const known: readonly Method[] = [...builtinMethods, ...playable(added)]
  const isBuiltin = (id: string) => builtinMethods.some((method) => method.id === id)
  const addedOf = (id: string) =>
    added.find((candidate) => candidate.id === id) ?? (isBuiltin(id) ? null : later.find(id))
  const list = () => [...known, ...playable(later.list())]
  return {
    list,
    find(id) {
      const method = known.find((candidate) => candidate.id === id) ?? addedOf(id)?.method
      if (method && 'unavailable' in method)
        throw new EspalierError('method_unavailable', method.unavailable, { param: 'method.id' })
      if (method) return method
      const choices = list().map((candidate) => candidate.id)
      throw new EspalierError('unknown_method', unknownName('There is no method', id, choices), {
        param: 'method.id',
      })
    },
    moduleOf: (id) => addedOf(id)?.module ?? null,
    reachOf: (id) => addedOf(id)?.reach,
  }
}

function playable(added: readonly AddedMethod[]): Method[] {
  return added.flatMap(({ method }) => ('unavailable' in method ? [] : [method]))
}

/**
 * The name of a method in messages about its code.
 *
 * @example
 * describeModule('greedy', { file: './greedy.ts', digest: '…' }) // 'The method "greedy" (./greedy.ts)'
 */
export function describeModule(id: string, { file }: Pick<MethodModule, 'file'>): string {
  return `The method "${id}" (${file})`
}

/**
 * Fills in the defaults of a method's parameters.
 *
 * @throws EspalierError `unknown_field` or `invalid_request`, naming the parameter and its valid values
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

export function schemaOf(method: Method, given: JsonObject): z.ZodType<object> {
  return method.variant?.(given) ?? method.parameters
}

export function promptsOf(method: Method): readonly PromptTemplate[] {
  return [...new Map(method.prompts.map((prompt) => [prompt.id, prompt])).values()]
}
