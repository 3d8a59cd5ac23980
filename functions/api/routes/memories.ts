import { createRoute } from '@hono/zod-openapi'
import { z } from 'zod'
import { listQuerySchema, listSchema } from '../../../shared/core/contracts/list.ts'
import { memoryNoteSchema, memorySchema, noteFilterSchema } from '../../../shared/core/contracts/memory.ts'
import { digest } from '../../../shared/core/engine/digest.ts'
import { objectKeys } from '../../../shared/core/engine/keys.ts'
import { runOfMemory } from '../../../shared/core/engine/memories/learned-id.ts'
import { answerLarge } from '../answer-large.ts'
import type { ApiApp, ApiContext } from '../api-app.ts'
import type { ApiServices } from '../api-services.ts'
import { needs } from '../authentication/needs.ts'
import { badRequest, failure, json, notFound, storedElsewhere } from '../openapi/answers.ts'
import { memoryExample, noteExample, toListExample } from '../openapi/learned-examples.ts'
import { listRoute } from '../openapi/list-route.ts'
import { idParameter, strictQuery } from '../openapi/parameters.ts'
import { ownServices } from '../own-services.ts'

const tags = ['Memories']

const memoryParameters = z.object({ memory: idParameter('The id of a memory.', memoryExample.id) })

const listMemories = listRoute({
  path: '/v1/memories',
  operationId: 'listMemories',
  summary: 'List memories, newest first',
  description: 'A run whose episodes write notes for each other leaves a memory, which later runs can use.',
  tags,
  role: 'runs:read',
  page: 'A page of memories.',
  schema: listSchema(memorySchema).meta({ id: 'MemoryList' }),
  example: toListExample(memoryExample),
})

const getMemory = createRoute({
  method: 'get',
  path: '/v1/memories/{memory}',
  operationId: 'getMemory',
  summary: 'Get a memory: the run that wrote it, and whether it is complete',
  tags,
  ...needs('runs:read'),
  request: { params: memoryParameters },
  responses: { 200: json('The memory.', memorySchema, memoryExample), ...notFound, ...failure },
})

const listNotes = createRoute({
  method: 'get',
  path: '/v1/memories/{memory}/notes',
  operationId: 'listNotes',
  summary: 'List the notes of a memory',
  tags,
  ...needs('runs:read'),
  request: {
    params: memoryParameters,
    query: strictQuery({ ...listQuerySchema.shape, ...noteFilterSchema.shape }),
  },
  responses: {
    200: json(
      'A page of notes.',
      listSchema(memoryNoteSchema).meta({ id: 'MemoryNoteList' }),
      toListExample(noteExample),
    ),
    ...storedElsewhere,
    ...badRequest,
    ...notFound,
    ...failure,
  },
})

export function addMemoryRoutes(app: ApiApp, services: ApiServices): void {
  const memoriesOf = (context: ApiContext) => ownServices(services, context).memories

  app.openapi(listMemories, async (context) =>
    context.json(await memoriesOf(context).memories(context.req.valid('query')), 200),
  )
  app.openapi(getMemory, async (context) =>
    context.json(await memoriesOf(context).memory(context.req.valid('param').memory), 200),
  )
  app.openapi(listNotes, async (context) => {
    const { memory } = context.req.valid('param')
    const query = context.req.valid('query')
    const page = await memoriesOf(context).notes(memory, query)
    // Notes carry their embeddings, so a page can exceed the size limit of an answer.
    const key = objectKeys.notesPage(runOfMemory(memory), digest(JSON.stringify(query)))
    return answerLarge(context, services.objects, page, { key, fileName: `${memory}-notes.json` })
  })
}
