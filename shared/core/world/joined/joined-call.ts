import { z } from 'zod'
import { type ErrorCode, EspalierError, errorCodes } from '../../contracts/errors.ts'
import type { Json } from '../../contracts/json.ts'
import type { LedgerItem } from '../ports.ts'

export const joinedPath = '/v1/workers/calls'
export const workerHeader = 'espalier-worker'

const text = z.string()
const seconds = z.number().min(0).max(43_200)
const json = z.custom<Json>((value) => value !== undefined)
const item = z.custom<LedgerItem>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
)
const scalar = z.union([z.string(), z.number(), z.boolean()])
const ledgerKey = z.strictObject({ partition: text, sort: text })
const condition = z.union([
  z.strictObject({ is: z.enum(['absent', 'present']), attribute: text.exactOptional() }),
  z.strictObject({ attribute: text, is: z.literal('equal'), value: scalar }),
  z.strictObject({ attribute: text, is: z.literal('one_of'), values: z.array(scalar) }),
  z.strictObject({ attribute: text, is: z.enum(['at_most', 'at_least']), value: z.number() }),
])
const change = z.strictObject({
  key: ledgerKey,
  set: item.exactOptional(),
  add: item.pipe(z.custom<Record<string, number>>()).exactOptional(),
  remove: z.array(text).exactOptional(),
  delete: z.literal(true).exactOptional(),
  expires_at: z.number().exactOptional(),
  if: z.array(condition).exactOptional(),
})
const queue = z.enum(['episodes', 'alone', 'datasets', 'jobs'])
const dead = z.boolean()
const message = z.strictObject({
  body: json,
  group: text,
  delay: z.number().min(0).max(900).exactOptional(),
})
const range = z.strictObject({ start: z.int(), end: z.int().exactOptional() })
const putOptions = z.strictObject({
  if_none_match: z.literal('*').exactOptional(),
  if_match: text.exactOptional(),
  content_type: text.exactOptional(),
})
const page = z.strictObject({
  after: text.exactOptional(),
  limit: z.int().min(0).max(10_000).exactOptional(),
})
const query = page.extend({ prefix: text.exactOptional(), reverse: z.boolean().exactOptional() })

const operations = z.discriminatedUnion('op', [
  z.strictObject({ op: z.literal('hello') }),
  z.strictObject({ op: z.literal('tend'), run: text }),
  z.strictObject({ op: z.literal('part'), upload: text, at: z.int().min(0) }),
  z.strictObject({
    ...{ op: z.literal('put'), key: text, options: putOptions },
    upload: z.strictObject({ id: text, parts: z.int().min(1) }).exactOptional(),
  }),
  z.strictObject({ op: z.literal('get'), key: text, range: range.exactOptional() }),
  z.strictObject({ op: z.literal('head'), key: text }),
  z.strictObject({ op: z.literal('list'), prefix: text, options: page }),
  z.strictObject({ op: z.literal('remove'), key: text }),
  z.strictObject({
    op: z.literal('sign'),
    key: text,
    options: z.strictObject({ expires_in: seconds, file_name: text.exactOptional() }),
  }),
  z.strictObject({ op: z.literal('item'), key: ledgerKey }),
  z.strictObject({ op: z.literal('update'), change }),
  z.strictObject({ op: z.literal('transact'), changes: z.array(change).max(1000) }),
  z.strictObject({ op: z.literal('query'), partition: text, options: query }),
  z.strictObject({ op: z.literal('send'), queue, messages: z.array(message).max(1000) }),
  z.strictObject({
    ...{ op: z.literal('receive'), queue, dead },
    ...{ max: z.int().min(0).max(1000), wait: seconds, visibility: seconds },
  }),
  z.strictObject({ op: z.literal('stop_waiting'), call: text }),
  z.strictObject({ op: z.literal('drop'), queue, dead, receipt: text }),
  z.strictObject({ op: z.literal('hide'), queue, receipt: text, visibility: seconds }),
])

export type JoinedOperation = z.infer<typeof operations>

/**
 * Operations with their ids. A worker that saw no answer sends the same ids again, with `again` set. Each operation is
 * checked by itself, so that one that is refused leaves its neighbours alone.
 */
export const joinedCallsSchema = z.strictObject({
  again: z.boolean(),
  calls: z.array(z.strictObject({ id: z.string().min(1).max(64), call: json })).max(200),
  bytes: z.array(z.int()),
})

export function readOperation(call: Json): JoinedOperation {
  const { data, error } = operations.safeParse(call)
  if (data !== undefined) return data
  const [issue] = error.issues
  throw new EspalierError('invalid_request', `A worker's operation is wrong: ${issue?.message}`, {
    param: issue?.path.join('.') ?? 'call',
  })
}

export type JoinedError = { code: ErrorCode | 'type_error'; message: string; param: string | null }

export type JoinedAnswer = { value: Json; body?: number } | { error: JoinedError }

export interface JoinedAnswers {
  answers: JoinedAnswer[]
}

export function toJoinedError(error: unknown): JoinedError | null {
  if (EspalierError.isInstance(error)) {
    const { code, message, param } = error
    return { code, message, param }
  }
  if (error instanceof TypeError) return { code: 'type_error', message: error.message, param: null }
  return null
}

export function fromJoinedError({ code, message, param }: JoinedError): Error {
  if (code === 'type_error') return new TypeError(message)
  const known = Object.hasOwn(errorCodes, code) ? code : 'internal'
  return new EspalierError(known, message, param === null ? {} : { param })
}
