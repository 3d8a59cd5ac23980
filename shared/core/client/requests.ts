import type { Query, Transport } from './transport.ts'

export function openRequests(transport: Transport) {
  return {
    transport,
    get: <Answer>(path: string, query: Query = {}) => transport.json<Answer>('GET', path, { query }),
    post: <Answer>(path: string, body: unknown, headers: Record<string, string> = {}) =>
      transport.json<Answer>('POST', path, { body, headers }),
    patch: <Answer>(path: string, body: unknown) => transport.json<Answer>('PATCH', path, { body }),
    remove: <Answer>(path: string) => transport.json<Answer>('DELETE', path),
    /** The text unchanged: `text()` would drop the byte-order mark of CSV. */
    postForText: async (path: string, format: string, body: unknown): Promise<string> => {
      const response = await transport.send('POST', path, { body, query: { format } })
      return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
    },
  }
}

export type Requests = ReturnType<typeof openRequests>
