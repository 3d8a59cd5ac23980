import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

/**
 * Refuses requests of web pages. Clients of the field's protocols need no content type for some requests and open
 * sockets, which a browser allows any page, but with the page's origin. Some other clients send the host itself as
 * their origin. They pass unless the host has a domain name, which a page could have rebound.
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
