import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { type List, type ListQuery, listSchema } from '../../../shared/core/contracts/list.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import { needs } from '../authentication/needs.ts'
import { badBody, conflict, failure, json, notFound, optionalBody } from './answers.ts'
import { resumeExample } from './examples.ts'
import { listRoute } from './list-route.ts'
import { idParameter } from './parameters.ts'

type Change = 'cancel' | 'pause' | 'resume'

interface Described {
  summary: string
  description?: string
}

interface DescribedChange extends Described {
  body?: z.ZodType<object>
}

interface Changing {
  change(id: string, body: object): Promise<{ id: string }>
}

type Jobs<Changes extends Change> = Record<Changes, Changing['change']> & {
  list(query: ListQuery): Promise<List<{ id: string }>>
  get(id: string): Promise<{ id: string }>
}

/**
 * Adds the routes that rollouts, trainings and loops share: the list, a job by its id, and changes that answer with
 * the job.
 */
export function addJobRoutes<Changes extends Change>(
  app: ApiApp,
  {
    changes,
    jobsOf,
    name,
    schema,
    ...texts
  }: {
    /** In the singular: paths, tags and operations derive from it. */
    name: string
    schema: z.ZodType<{ id: string }>
    list: Described
    get: Described
    changes: Record<Changes, DescribedChange>
    jobsOf(context: ApiContext): Jobs<NoInfer<Changes>>
  },
): void {
  const path = `/v1/${name}s`
  const Name = `${name.charAt(0).toUpperCase()}${name.slice(1)}`
  const tags = [`${Name}s`]
  const params = jobParameters(name)
  const idOf = (valid: Record<string, string>): string => valid[name] ?? ''

  const listJobs = listRoute({
    path,
    operationId: `list${Name}s`,
    ...texts.list,
    tags,
    role: 'runs:read',
    page: `A page of ${name}s.`,
    schema: listSchema(schema).meta({ id: `${Name}List` }),
  })
  app.openapi(listJobs, async (context) =>
    context.json(await jobsOf(context).list(context.req.valid('query')), 200),
  )

  const getJob = createRoute({
    method: 'get',
    path: `${path}/{${name}}`,
    operationId: `get${Name}`,
    ...texts.get,
    tags,
    ...needs('runs:read'),
    request: { params },
    responses: { 200: json(`The ${name}.`, schema), ...notFound, ...failure },
  })
  app.openapi(getJob, async (context) =>
    context.json(await jobsOf(context).get(idOf(context.req.valid('param'))), 200),
  )

  for (const change of Object.keys(changes) as Changes[]) {
    const { body, ...described }: DescribedChange = changes[change]
    const changeJob = createRoute({
      method: 'post',
      path: `${path}/{${name}}/${change}`,
      operationId: `${change}${Name}`,
      ...described,
      tags,
      ...needs('runs:write'),
      request: { params, ...(body && { body: optionalBody(body, resumeExample) }) },
      responses: {
        200: json(`The ${name} after the change.`, schema),
        ...notFound,
        ...conflict,
        ...(body && badBody),
        ...failure,
      },
    })
    app.openapi(changeJob, async (context) => {
      // Its type lacks `json`, since not every change has a body.
      const given = body === undefined ? {} : context.req.valid('json' as 'param')
      return context.json(await jobsOf(context)[change](idOf(context.req.valid('param')), given), 200)
    })
  }
}

export function jobParameters<Name extends string>(name: Name) {
  const id = idParameter(`The id of a ${name}.`, `${name}-1`)
  return z.object({ [name]: id } as Record<Name, typeof id>)
}
