import { hash, timingSafeEqual } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { EspalierError } from '../../shared/core/contracts/errors.ts'

/**
 * Refuses every request without the host's access key. The answer is that of a host that does not exist: a caller
 * with another host's key means the host that had this address before.
 */
export function requireAccessKey(accessKey: string): MiddlewareHandler {
  const wanted = hash('sha256', `Bearer ${accessKey}`, 'buffer')
  return async (context, next) => {
    const given = hash('sha256', context.req.header('authorization') ?? '', 'buffer')
    if (timingSafeEqual(given, wanted)) return next()
    const message =
      'This host was launched by a fleet and answers its access key alone. Another host had this address before, or the header "Authorization" is missing.'
    const error = new EspalierError('unknown_host', message, { param: 'host' })
    return context.json(error.toBody(), 404)
  }
}
