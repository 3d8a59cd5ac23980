import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { libraryActionSchema, librarySchema } from '../../../shared/core/contracts/library.ts'
import { listQuerySchema, listSchema } from '../../../shared/core/contracts/list.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json, notFound } from '../openapi/answers.ts'
import { actionExample, libraryExample, toListExample } from '../openapi/learned-examples.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idParameter, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Libraries']

const libraryParameters = z.object({ library: idParameter('The id of a library.', libraryExample.id) })

const listLibraries = listRoute({
  path: '/v1/libraries',
  operationId: 'listLibraries',
  summary: 'List action libraries, newest first',
  description: 'A run that learns actions leaves a library, which later runs can use.',
  tags,
  role: 'runs:read',
  page: 'A page of libraries.',
  schema: listSchema(librarySchema).meta({ id: 'LibraryList' }),
  example: toListExample(libraryExample),
})

const getLibrary = createRoute({
  method: 'get',
  path: '/v1/libraries/{library}',
  operationId: 'getLibrary',
  summary: 'Get a library: the run that wrote it, and whether it is complete',
  tags,
  ...needs('runs:read'),
  request: { params: libraryParameters },
  responses: { 200: json('The library.', librarySchema, libraryExample), ...notFound, ...failure },
})

const listActions = createRoute({
  method: 'get',
  path: '/v1/libraries/{library}/actions',
  operationId: 'listActions',
  summary: 'List the actions of a library, group by group',
  tags,
  ...needs('runs:read'),
  request: { params: libraryParameters, query: strictQuery(listQuerySchema.shape) },
  responses: {
    200: json(
      'A page of actions.',
      listSchema(libraryActionSchema).meta({ id: 'LibraryActionList' }),
      toListExample(actionExample),
    ),
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

export function addLibraryRoutes(app: ApiApp, services: ApiServices): void {
  const librariesOf = (context: ApiContext) => ownServices(services, context).memories

  app.openapi(listLibraries, async (context) =>
    context.json(await librariesOf(context).libraries(context.req.valid('query')), 200),
  )
  app.openapi(getLibrary, async (context) =>
    context.json(await librariesOf(context).library(context.req.valid('param').library), 200),
  )
  app.openapi(listActions, async (context) => {
    const { library } = context.req.valid('param')
    return context.json(await librariesOf(context).actions(library, context.req.valid('query')), 200)
  })
}
