import { z } from 'zod'
import { EspalierError } from '../errors.ts'
import { describeIssue } from './describe-issue.ts'
import { nearestName } from './nearest-name.ts'

export type InvalidPart = 'json' | 'query' | 'header' | 'param' | 'form' | 'cookie'

export interface InvalidRequest {
  part: InvalidPart
  schema: z.core.$ZodType | undefined
  value: unknown
  at?: readonly PropertyKey[]
}

const mostCounted = 1000

/**
 * The message for a request that does not fit its schema: the one field to correct first, its valid values, and the
 * number of others. Unknown fields come first, because a misspelt field also shows up as a missing one.
 */
export function describeInvalid(error: z.ZodError, request: InvalidRequest): EspalierError {
  const { part, schema, value, at = [] } = request
  const unknown = error.issues.find((issue) => issue.code === 'unrecognized_keys')
  const issue = unknown ?? error.issues[0]
  if (issue === undefined) return new EspalierError('invalid_request', 'The request does not fit its schema.')
  if (part === 'param') return unknownId(value, issue.path)
  const more = countOthers(error.issues)
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys
    const known = schema === undefined ? [] : knownNames(schema, issue.path)
    const param = pathText([...at, ...issue.path, key.length > 100 ? `${key.slice(0, 100)}…` : key])
    return new EspalierError('unknown_field', unknownField(part, param, key, known) + more, { param })
  }
  // The invalid key is the last part of its path, and may be anything: the message names the field that holds it.
  const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path
  const param = pathText([...at, ...path])
  const message = `${subject(part, param)} ${describeIssue(issue, valueAt(value, path))}${more}`
  return new EspalierError('invalid_request', message, param === '' ? {} : { param })
}

function countOthers(issues: readonly z.core.$ZodIssue[]): string {
  const fields = new Set<string>()
  for (const issue of issues) {
    for (const field of fieldsOf(issue)) fields.add(field)
    if (fields.size > mostCounted) return ` (More than ${mostCounted} fields need mending.)`
  }
  const others = fields.size - 1
  return others === 0 ? '' : ` (${others} more ${others === 1 ? 'field needs' : 'fields need'} mending.)`
}

function fieldsOf(issue: z.core.$ZodIssue): string[] {
  if (issue.code !== 'unrecognized_keys') return [pathText(issue.path)]
  return issue.keys.slice(0, mostCounted + 2).map((key) => pathText([...issue.path, key]))
}

export function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`
    return text === '' ? String(key) : `${text}.${String(key)}`
  }, '')
}

function subject(part: InvalidPart, param: string): string {
  if (param === '') return part === 'json' ? 'The body' : 'The request'
  if (part === 'query') return `The query parameter "${param}"`
  if (part === 'header') return `The header "${param}"`
  return `"${param}"`
}

function unknownField(part: InvalidPart, path: string, key: string, known: string[]): string {
  const what =
    part === 'query' ? `There is no query parameter "${path}" here.` : `There is no field "${path}".`
  const meant = nearestName(key, known)
  if (meant !== null) return `${what} Did you mean "${meant}"?`
  return known.length === 0 ? `${what} Leave it out.` : `${what} Known here: ${known.join(', ')}.`
}

function unknownId(value: unknown, path: readonly PropertyKey[]): EspalierError {
  const kind = String(path[0] ?? 'object')
  const id = String(valueAt(value, path)).slice(0, 100)
  return new EspalierError('not_found', `There is no ${kind} with the id ${JSON.stringify(id)}.`, {
    param: kind,
  })
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((current, key) => {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined
    return Reflect.get(current, key)
  }, value)
}

function knownNames(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  const inner = unwrap(schema)
  const [key, ...rest] = path
  if (inner instanceof z.ZodIntersection) {
    return [...new Set([...knownNames(inner.def.left, path), ...knownNames(inner.def.right, path)])]
  }
  if (key === undefined) return ownNames(inner)
  const below = schemaBelow(inner, key)
  return below === undefined ? [] : knownNames(below, rest)
}

function ownNames(schema: z.core.$ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  return schema instanceof z.ZodRecord && schema.keyType instanceof z.ZodEnum
    ? schema.keyType.options.map(String)
    : []
}

function schemaBelow(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[String(key)]
  if (schema instanceof z.ZodRecord) return schema.valueType
  if (schema instanceof z.ZodArray) return schema.element
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(key)]
  return undefined
}

function unwrap(schema: z.core.$ZodType): z.core.$ZodType {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodReadonly
  return wraps ? unwrap(schema.def.innerType) : schema
}
