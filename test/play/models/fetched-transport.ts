import {
  type ModelTransport,
  toWireHeaders,
  type WireRequest,
} from '../../../shared/play/models/transport.ts'

/** A transport whose answers are written as those of `fetch`. */
export function fetchedTransport(answer: (request: WireRequest) => Promise<Response>): ModelTransport {
  return {
    async send(request) {
      const response = await answer(request)
      const headers = toWireHeaders(Object.fromEntries(response.headers))
      return { status: response.status, headers, text: await response.text() }
    },
    close: async () => undefined,
  }
}
