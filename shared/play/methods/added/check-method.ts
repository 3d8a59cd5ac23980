import { z } from 'zod'
import { EspalierError } from '../../../core/contracts/errors.ts'
import type { JsonObject } from '../../../core/contracts/json.ts'
import { roleSchema } from '../../../core/contracts/model-choice.ts'
import { describeInvalid } from '../../../core/contracts/validation/describe-invalid.ts'
import { PromptBook } from '../../search/prompt-book.ts'
import { defineMethod, isZodSchema, type MethodDeclaration } from '../define-method.ts'
import { describeMethod } from '../describe-method.ts'
import { countCalls, type Effort } from '../effort.ts'
import type { Method } from '../method.ts'
import { noKnowledge } from '../prompts/agent-prompt.ts'
import { methodIdSchema } from './methods-file.ts'

const callable = z.custom((value) => typeof value === 'function', 'must be a function').optional()
const text = z.string().min(1).max(2000)

const declarationSchema = z.strictObject({
  id: methodIdSchema,
  description: text,
  source: text.optional(),
  parameters: z.custom(isParameters, 'must be a schema of zod 4, or a JSON Schema whose type is object'),
  prompts: z.array(z.looseObject({ id: text.max(100), purpose: text, text: z.string().min(1) })).optional(),
  branches: z.boolean(),
  play: callable.nonoptional(),
  variant: callable,
  horizon: callable,
  derived: callable,
  extendable: callable,
  answer: callable,
  system: callable,
  turnActions: callable,
  runsPrograms: z.boolean().optional(),
  roles: callable,
  effort: callable,
  sharing: callable,
  learn: callable,
  learningEffort: callable,
})

const horizonSchema = z.strictObject({
  name: z.enum(['max_steps', 'max_depth', 'max_actions']),
  beyond: z.union([z.literal(0), z.literal(1)]),
})
const calls = z.array(z.number().nonnegative())
const effortSchema = z.looseObject({
  expected: calls,
  at_most: calls,
  answers: z.int().positive().optional(),
  others: z
    .array(
      z.looseObject({ role: roleSchema, expected: calls, at_most: calls, answers: z.int().nonnegative() }),
    )
    .optional(),
  side_by_side: z.int().positive(),
  reason: text,
})
const askedRoles = z.array(roleSchema.exclude(['embedding']))
const answerSchema = z.enum(['last', 'best', 'committed', 'most-visited'])

const anyGuide = { rules: 'The rules.', example: null }
/** Longer than a trajectory needs, yet short enough to compute quickly. */
const usualBounds = { max_steps: 20, steps: Number.POSITIVE_INFINITY }

export function seemsMethod(value: unknown): value is { id: string } {
  return typeof value === 'object' && value !== null && 'id' in value && 'play' in value
}

/**
 * Checks a module's method and adds the defaults. Also checks the answers of its functions for the parameters'
 * defaults.
 *
 * @param where names the module in messages
 * @throws EspalierError `invalid_request`, naming the field
 */
export function checkMethod(value: object, where: string): Method {
  const own = { ...value }
  const parsed = declarationSchema.safeParse(own)
  const id = 'id' in own && typeof own.id === 'string' ? own.id : 'a method'
  if (!parsed.success) {
    const { message, param } = describeInvalid(parsed.error, {
      part: 'json',
      schema: declarationSchema,
      value: own,
      at: [id],
    })
    throw refusal(where, param ?? id, message)
  }
  const method = defineMethod(own as MethodDeclaration)
  checkParameters(method, where)
  const defaults = method.parameters.safeParse({})
  if (defaults.success) checkAnswers(method, defaults.data, where)
  return method
}

function isParameters(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return isZodSchema(value as JsonObject) || ('type' in value && value.type === 'object')
}

function checkParameters(method: Method, where: string): void {
  const { id, parameters } = method
  const param = `${id}.parameters`
  const { properties, ...schema } = attempt(where, param, () => describeMethod(method).parameters)
  const isObject = schema.type === 'object' || Array.isArray(schema.anyOf)
  if (!isObject) throw refusal(where, param, `"${param}" must be a schema of an object.`)
  const stray = 'a_parameter_that_no_method_has'
  const strict = parameters.safeParse({ [stray]: true }).error?.issues ?? []
  if (!strict.some((issue) => issue.code === 'unrecognized_keys' || issue.code === 'invalid_union')) {
    throw refusal(
      where,
      param,
      `"${param}" takes parameters that it does not know, so that a misspelt one would go unnoticed. Use z.strictObject, or additionalProperties: false.`,
    )
  }
  const names = parametersIn({ ...schema, properties: properties ?? {} })
  const { name } = attempt(where, `${id}.horizon`, () =>
    method.horizon(method.parameters.safeParse({}).data ?? {}),
  )
  if (names.has(name)) return
  throw refusal(
    where,
    `${id}.horizon`,
    `"${id}.horizon" names "${name}", which is no parameter: what bounds a trajectory must be one. Add max_steps to the parameters (maxStepsParameter), or name max_depth or max_actions.`,
  )
}

export function parametersIn(schema: JsonObject): Set<string> {
  const variants = (schema.anyOf ?? [schema]) as { properties?: JsonObject }[]
  return new Set(variants.flatMap(({ properties = {} }) => Object.keys(properties)))
}

function checkAnswers(method: Method, defaults: object, where: string): void {
  const { id } = method
  const ask = <Schema extends z.ZodType>(field: string, schema: Schema, call: () => unknown) => {
    const param = `${id}.${field}`
    const value = attempt(where, param, call)
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    const { message } = describeInvalid(parsed.error, { part: 'json', schema, value, at: [id, `${field}()`] })
    throw refusal(where, param, message)
  }
  ask('horizon', horizonSchema, () => method.horizon(defaults))
  ask('answer', answerSchema, () => method.answer(defaults))
  ask('system', z.string().min(1), () => method.system(defaults, new PromptBook(), anyGuide, noKnowledge))
  if (method.roles) ask('roles', askedRoles, () => method.roles?.(defaults))
  const known = parametersIn(describeMethod(method).parameters)
  const growing = ask('extendable', z.array(z.string()), () => method.extendable(defaults))
  const stray = growing.find((name) => !known.has(name))
  if (stray !== undefined)
    throw refusal(
      where,
      `${id}.extendable`,
      `"${id}.extendable" names "${stray}", which is no parameter of it.`,
    )
  checkEffort(ask('effort', effortSchema, () => method.effort(defaults, usualBounds)) as Effort, id, where)
}

function checkEffort({ expected, at_most, others = [] }: Effort, id: string, where: string): void {
  const pairs = [{ role: 'policy', expected, at_most }, ...others]
  const wrong = pairs.find((pair) => countCalls(pair.expected) > countCalls(pair.at_most) + 1e-9)
  if (wrong === undefined) return
  throw refusal(
    where,
    `${id}.effort`,
    `"${id}.effort()" expects more calls of ${wrong.role} than it says there are at most.`,
  )
}

/** @throws EspalierError if the method's own code fails */
function attempt<Value>(where: string, param: string, call: () => Value): Value {
  try {
    return call()
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw refusal(where, param, `"${param}" fails with the defaults of its parameters: ${reason}`)
  }
}

function refusal(where: string, param: string, message: string): EspalierError {
  return new EspalierError('invalid_request', `${where}: ${message}`, { param })
}
