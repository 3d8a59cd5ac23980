import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi'
import { z } from 'zod'

export function findPartSchema(
  registry: OpenAPIHono['openAPIRegistry'],
  method: string,
  routingPath: string,
  part: string,
): z.ZodType | undefined {
  const definition = registry.definitions.find(
    (candidate) =>
      candidate.type === 'route' &&
      candidate.route.method.toUpperCase() === method &&
      candidate.route.path.replaceAll(/\{(.+?)\}/g, ':$1') === routingPath,
  )
  return definition?.type === 'route' ? partSchema(definition.route, part) : undefined
}

function partSchema({ request }: RouteConfig, part: string): z.ZodType | undefined {
  const media = request?.body?.content['application/json']
  const body = media !== undefined && 'schema' in media ? media.schema : undefined
  const schema = part === 'json' ? body : part === 'query' ? request?.query : undefined
  return schema instanceof z.ZodType ? schema : undefined
}
