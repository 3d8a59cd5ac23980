import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { keyScheme, operatorRole } from '../authentication/needs.ts'
import { refused, refusedRole, refusedScope } from './answers.ts'
import { type Piece, type Side, schemaBook } from './schema-book.ts'

const places = { params: 'path', query: 'query', headers: 'header' } as const

export function buildDocument(
  routes: readonly RouteConfig[],
  info: { title: string; version: string; description: string },
): Piece {
  const book = schemaBook()

  function parameters(route: RouteConfig): Piece[] {
    return Object.entries(places).flatMap(([part, place]) => {
      const schema = route.request?.[part as keyof typeof places]
      if (!(schema instanceof z.ZodObject)) return []
      return Object.entries(schema.shape).map(([name, field]) => {
        const { description, example, ...written } = book.write(field, 'input')
        const required = place === 'path' || !z.safeParse(field, undefined).success
        return {
          name,
          in: place,
          required,
          ...(description ? { description } : {}),
          ...(example === undefined ? {} : { example }),
          schema: written,
        }
      })
    })
  }

  function content(media: object, side: Side): Piece {
    const written = Object.entries(media).map(([type, { schema, ...rest }]) => {
      const own = schema instanceof z.ZodType ? book.write(schema, side) : schema
      return [type, { ...rest, schema: type === 'text/event-stream' ? serverSentEvent(own) : own }]
    })
    return Object.fromEntries(written)
  }

  function operation(route: RouteConfig): Piece {
    const { operationId, summary, description, tags, request, responses, security } = route
    const answers = Object.entries({ ...refusals(security), ...responses }).map(([status, answer]) => [
      status,
      'content' in answer && answer.content
        ? { ...answer, content: content(answer.content, 'output') }
        : answer,
    ])
    const taken = parameters(route)
    return {
      operationId,
      summary,
      ...(description === undefined ? {} : { description }),
      tags,
      ...(taken.length === 0 ? {} : { parameters: taken }),
      ...(request?.body
        ? { requestBody: { ...request.body, content: content(request.body.content, 'input') } }
        : {}),
      ...(security === undefined ? {} : { security }),
      responses: Object.fromEntries(answers),
    }
  }

  const paths: Record<string, Piece> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) }
  }
  const tags = [...new Set(routes.flatMap((route) => route.tags ?? []))].map((name) => ({ name }))
  const { document, schemas } = book.finish({ paths })
  return { openapi: '3.1.0', info, tags, ...document, components: { schemas, securitySchemes } }
}

/** One event of a stream: OpenAPI 3.1 describes each event by the schema of the media type. */
function serverSentEvent(data: Piece): Piece {
  return {
    type: 'object',
    properties: {
      id: { type: 'string' },
      event: { type: 'string' },
      data: { type: 'string', contentMediaType: 'application/json', contentSchema: data },
    },
    required: ['data'],
  }
}

const securitySchemes = {
  [keyScheme]: {
    type: 'http',
    scheme: 'bearer',
    description:
      'An API key from `espalier keys create` or `POST /v1/keys`. It belongs to one tenant; its scopes limit its rights there, and `admin` includes all scopes. Only the holder of the data folder can use operations that require `operator`: no key has that scope. A local service accepts requests without a key unless its configuration requires one.',
  },
}

function refusals(security: RouteConfig['security']): RouteConfig['responses'] {
  if (security === undefined) return {}
  const roles = security.flatMap((scheme) => scheme[keyScheme] ?? [])
  if (roles.length === 0) return refused
  return roles.includes(operatorRole) ? refusedRole : refusedScope
}
