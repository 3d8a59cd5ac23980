import type { RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'
import { type Piece, type Side, schemaBook } from './schema-book.ts'

const places = { params: 'path', query: 'query', headers: 'header' } as const

/** The OpenAPI 3.1 document of the routes. Every path, parameter, body and answer comes from the schemas in use. */
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
    const written = Object.entries(media).map(([type, { schema, ...rest }]) => [
      type,
      { ...rest, schema: schema instanceof z.ZodType ? book.write(schema, side) : schema },
    ])
    return Object.fromEntries(written)
  }

  function operation(route: RouteConfig): Piece {
    const { operationId, summary, description, tags, request, responses } = route
    const answers = Object.entries(responses).map(([status, answer]) => [
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
      responses: Object.fromEntries(answers),
    }
  }

  const paths: Record<string, Piece> = {}
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) }
  }
  const tags = [...new Set(routes.flatMap((route) => route.tags ?? []))].map((name) => ({ name }))
  const { document, schemas } = book.finish({ paths })
  return { openapi: '3.1.0', info, tags, ...document, components: { schemas } }
}
