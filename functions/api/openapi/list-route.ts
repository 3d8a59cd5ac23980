import { createRoute } from '@hono/zod-openapi'
import type { z } from 'zod'
import { listQuerySchema } from '../../../shared/contracts/list.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json } from './answers.ts'
import { strictQuery } from './parameters.ts'

/**
 * A route that answers a list of the service's objects, a page at a time: asked with `limit` and `after`, and filters where it has any.
 *
 * @example
 * listRoute({
 *   path: '/v1/loops',
 *   operationId: 'listLoops',
 *   summary: 'List loops, newest first',
 *   tags: ['Loops'],
 *   role: 'runs:read',
 *   page: 'A page of loops.',
 *   schema: listSchema(loopSchema).meta({ id: 'LoopList' }),
 * })
 */
export function listRoute<
  Path extends string,
  Schema extends z.ZodType,
  Filters extends z.ZodRawShape = Record<never, never>,
>({
  example,
  page,
  path,
  filters,
  role,
  schema,
  ...described
}: {
  path: Path
  operationId: string
  summary: string
  description?: string
  tags: string[]
  /** What its caller must have; any key will do where there is none. */
  role?: Parameters<typeof needs>[0]
  /** What it can be narrowed by, beside `limit` and `after`. */
  filters?: Filters
  /** What the document calls the answer. */
  page: string
  /** Of the whole answer. */
  schema: Schema
  /** One such answer, for the document. */
  example?: object
}) {
  return createRoute({
    method: 'get',
    path,
    ...described,
    ...needs(role),
    request: { query: strictQuery({ ...listQuerySchema.shape, ...(filters ?? ({} as Filters)) }) },
    responses: { 200: json(page, schema, example), ...badRequest, ...failure },
  })
}
