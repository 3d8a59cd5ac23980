import { createRoute } from '@hono/zod-openapi'
import type { z } from 'zod'
import { listQuerySchema } from '../../../shared/core/contracts/list.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json } from './answers.ts'
import { strictQuery } from './parameters.ts'

/**
 * A route that lists the service's objects page by page, with `limit`, `after` and optional filters.
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
  Further extends object = Record<never, never>,
>({
  answers,
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
  role?: Parameters<typeof needs>[0]
  filters?: Filters
  answers?: Further
  page: string
  schema: Schema
  example?: object
}) {
  return createRoute({
    method: 'get',
    path,
    ...described,
    ...needs(role),
    request: { query: strictQuery({ ...listQuerySchema.shape, ...(filters ?? ({} as Filters)) }) },
    responses: {
      200: json(page, schema, example),
      ...badRequest,
      ...(answers ?? ({} as Further)),
      ...failure,
    },
  })
}
