import { EspalierError } from '../../../shared/core/contracts/errors.ts'
import type { ApiContext } from '../api-app.ts'

interface KnownRoute {
  method: string
  path: string
}

export function answerUnknownRoute(routes: () => Iterable<KnownRoute>): (context: ApiContext) => Response {
  return (context) => {
    const { method, path } = context.req
    const allowed = allowedMethods(routes(), path)
    if (allowed.length === 0) {
      throw new EspalierError(
        'not_found',
        `There is nothing at ${path}. GET /openapi.json lists every address.`,
      )
    }
    const allow = allowed.join(', ')
    const error = new EspalierError(
      'method_not_allowed',
      `${path} does not take ${method}. It takes: ${allow}.`,
    )
    return context.json(error.toBody(), 405, { Allow: allow })
  }
}

function allowedMethods(routes: Iterable<KnownRoute>, path: string): string[] {
  const methods = new Set<string>()
  for (const route of routes) {
    if (route.method === 'ALL' || !fits(route.path, path)) continue
    methods.add(route.method)
    if (route.method === 'GET') methods.add('HEAD')
  }
  return [...methods]
}

function fits(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  if (wanted.at(-1) === '*')
    return (
      given.length >= wanted.length &&
      fits(wanted.slice(0, -1).join('/'), given.slice(0, wanted.length - 1).join('/'))
    )
  return (
    wanted.length === given.length &&
    wanted.every((part, index) => (part.startsWith(':') ? given[index] !== '' : part === given[index]))
  )
}
