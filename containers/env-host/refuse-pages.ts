import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../shared/contracts/errors.ts'

/**
 * Refuses what web pages send. Clients of the field's protocols need no content type for some requests, and open sockets,
 * which a browser lets any page do; but it then names the page. Some clients that are no browsers name the host itself,
 * which is let pass where the host has no domain name: one could be a page's own that was made to lead here.
 */
export const refusePages: MiddlewareHandler = async (context, next) => {
  const origin = context.req.header('origin')
  const own = new URL(context.req.url)
  if (origin === undefined || (origin === own.origin && !hasDomain(own))) return next()
  const error = new EspalierError('foreign_origin', `This host answers no web page; ${origin} asked.`)
  return context.json(error.toBody(), 403)
}

function hasDomain({ hostname }: URL): boolean {
  return hostname.includes('.') && isIP(hostname) === 0
}
