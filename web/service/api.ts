import { createApiClient } from '../../shared/core/client/api-client.ts'
import { ApiError } from '../../shared/core/client/api-error.ts'
import { ConnectionError } from '../../shared/core/client/connection-error.ts'
import { addQuery, type Transport } from '../../shared/core/client/transport.ts'
import { connection, loseConnection } from './connection.ts'
import { sessionKey } from './session-key.ts'

const transport: Transport = {
  address: location.origin,

  async send(method, path, { query = {}, body, bytes, text, headers = {}, signal } = {}) {
    const url = new URL(path, location.origin)
    addQuery(url, query)
    const key = sessionKey.get()
    const isHome = url.origin === location.origin
    const init: RequestInit = {
      method,
      cache: 'no-store',
      headers: {
        ...headers,
        ...(key !== null && isHome && { Authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(text !== undefined && { 'Content-Type': 'application/x-ndjson' }),
        ...(bytes !== undefined && { 'Content-Type': 'application/octet-stream' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(text !== undefined && { body: text }),
      ...(bytes !== undefined && { body: bytes as Uint8Array<ArrayBuffer> }),
      ...(signal !== undefined && { signal }),
    }
    const response = await answerOf(url, init)
    if (!response.ok) throw await ApiError.from(response)
    connection.set('connected')
    return response
  },

  async json<Answer>(...request: Parameters<Transport['send']>) {
    const response = await transport.send(...request)
    return (await response.json()) as Answer
  },
}

export const api = createApiClient(transport)

async function answerOf(url: URL, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init)
  } catch (error) {
    if (init.signal?.aborted) throw error
    // Other origins are the stores of signed addresses. Their failure does not mean that the service is down.
    if (url.origin === location.origin) loseConnection()
    throw new ConnectionError(`No service answers at ${url.origin}.`, { cause: error })
  }
}
