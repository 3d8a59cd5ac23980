import { EspalierError } from '../shared/core/contracts/errors.ts'

const loopback = new Set(['localhost', '127.0.0.1', '[::1]'])

export function isLoopback(host: string): boolean {
  return loopback.has(host) || host === '::1'
}

/**
 * Keeps web pages from using a service without keys that listens on loopback only. A request must name this machine
 * as its host, which a rebound domain name does not, and its origin must be one of our pages.
 * @param host - the listening address; a public one is not checked
 * @returns the refusal, or null
 */
export function refuseStrangers(request: Request, host: string): Response | null {
  if (!isLoopback(host)) return null
  const { hostname } = new URL(request.url)
  const origin = request.headers.get('Origin')
  const isFromElsewhere = origin !== null && origin !== new URL(request.url).origin
  if (loopback.has(hostname) && !isFromElsewhere) return null
  const error = new EspalierError(
    'foreign_origin',
    `This service answers only requests to localhost that no other web page sends; this one names ${isFromElsewhere ? `the origin ${origin}` : `the host ${hostname}`}.`,
  )
  return Response.json(error.toBody(), { status: error.status })
}
