import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import { z } from 'zod'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { readBody } from './read-body.ts'

export const looseInteger = z.preprocess(
  (value) => (typeof value === 'string' && /^[+-]?\d{1,16}$/.test(value.trim()) ? Number(value) : value),
  z.int(),
)

type Place = 'body' | 'query'

/**
 * Reads the JSON body of a request.
 * @throws HTTPException 422 with FastAPI's `{"detail": [{type, loc, msg, input}]}`
 */
export async function readFastapiBody<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): Promise<z.output<Schema>> {
  const isJson = /^application\/json\b/i.test(context.req.header('content-type') ?? '')
  if (!isJson) throw refusal([{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }])
  return parseFastapi(await bodyOf(context), schema, 'body')
}

export function readFastapiQuery<Schema extends z.ZodType>(
  context: Context,
  schema: Schema,
): z.output<Schema> {
  return parseFastapi(context.req.query(), schema, 'query')
}

async function bodyOf(context: Context): Promise<unknown> {
  try {
    return await readBody(context.req.raw)
  } catch (error) {
    if (!EspalierError.isInstance(error) || error.code !== 'invalid_json') throw error
    throw refusal([{ type: 'json_invalid', loc: ['body', 0], msg: 'JSON decode error', input: {} }])
  }
}

function parseFastapi<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  place: Place,
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refusal(describeFastapi(result.error, value, place))
}

export function describeFastapi(error: z.ZodError, value: unknown, place: Place): Detail[] {
  return error.issues.map((issue) => toDetail(issue, value, place))
}

interface Detail {
  type: string
  loc: (string | number)[]
  msg: string
  input: unknown
}

function toDetail(issue: z.core.$ZodIssue, value: unknown, place: Place): Detail {
  const loc = [place, ...issue.path.map((key) => (typeof key === 'number' ? key : String(key)))]
  const input = issue.path.reduce<unknown>(
    (held, key) => (held as Record<PropertyKey, unknown>)?.[key],
    value,
  )
  if (issue.code === 'unrecognized_keys') {
    const type = 'extra_forbidden'
    return { type, loc: [...loc, issue.keys[0] ?? ''], msg: 'Extra inputs are not permitted', input }
  }
  if (input === undefined) return { type: 'missing', loc, msg: 'Field required', input: value }
  if (issue.code !== 'invalid_type') return { type: 'value_error', loc, msg: issue.message, input }
  switch (issue.expected) {
    case 'string':
      return { type: 'string_type', loc, msg: 'Input should be a valid string', input }
    case 'int':
    case 'number':
      return { type: wrongNumber(input), loc, msg: 'Input should be a valid integer', input }
    default:
      return { type: 'dict_type', loc, msg: 'Input should be a valid dictionary', input }
  }
}

function wrongNumber(input: unknown): string {
  return typeof input === 'string' ? 'int_parsing' : 'int_type'
}

function refusal(detail: readonly Detail[]): HTTPException {
  return new HTTPException(422, { res: Response.json({ detail }, { status: 422 }) })
}
