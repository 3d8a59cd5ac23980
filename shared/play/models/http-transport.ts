import type { LookupFunction } from 'node:net'
import { OutboundRoutes } from '../../core/outbound/outbound-routes.ts'
import { type AnswerBounds, AnswerReader } from './answer-reader.ts'
import { type ModelTransport, UnsentRequestError } from './transport.ts'

export interface HttpTransportOptions extends AnswerBounds {
  /** `public`: refuses names that resolve to an internal address. @default 'any' */
  network?: 'any' | 'public'
  lookup?: LookupFunction
}

/**
 * Sends model calls over undici's connections, through the environment's proxy and the guard of a network. Its own
 * timers bound a call, so undici's are off.
 */
export function createHttpTransport({
  network = 'any',
  lookup,
  ...bounds
}: HttpTransportOptions): ModelTransport {
  const agent = { headersTimeout: 0, bodyTimeout: 0, connections: null }
  const routes = new OutboundRoutes({ network, agent, ...(lookup && { lookup }) })
  return {
    async send({ method = 'POST', url: address, headers, body, signal }) {
      const { url, dispatcher, host } = await routes.of(address).catch((error: unknown) => {
        throw new UnsentRequestError(error)
      })
      const answer = new AnswerReader(bounds, signal)
      dispatcher.dispatch(
        {
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method,
          headers: host === null ? headers : { ...headers, host },
          body: method === 'GET' ? null : body,
        },
        answer,
      )
      return answer.whole
    },
    close: () => routes.close(),
  }
}
