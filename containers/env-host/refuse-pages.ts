import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../shared/contracts/errors.ts'

/**
 * Refuses what other web pages send. Clients of the field's protocols need no content type for some requests, and open
 * sockets, which a browser lets any page do; but it then names the page.
 */
export const refusePages: MiddlewareHandler = async (context, next) => {
  const origin = context.req.header('origin')
  if (origin === undefined || origin === new URL(context.req.url).origin) return next()
  const error = new EspalierError('foreign_origin', `This host answers no web page; ${origin} asked.`)
  return context.json(error.toBody(), 403)
}
