export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Parameters by their names. A list is sent as the same parameter several times. */
export type Query = Record<string, string | number | readonly string[] | undefined>

export function addQuery(url: URL, query: Query = {}): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each))
  }
}

export interface TransportRequest {
  query?: Query
  body?: unknown
  text?: string
  bytes?: Uint8Array
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * Carries requests to the service and answers back. It differs between a terminal, a process that holds the service
 * itself, and a browser.
 */
export interface Transport {
  readonly address: string
  /**
   * Returns a successful answer after following redirects.
   * @throws ApiError if the service refuses, ConnectionError if none answers
   */
  send(method: HttpMethod, path: string, request?: TransportRequest): Promise<Response>
  json<Answer>(method: HttpMethod, path: string, request?: TransportRequest): Promise<Answer>
}
