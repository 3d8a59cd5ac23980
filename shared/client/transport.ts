export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Parameters by their names; a list is sent as the same parameter several times. */
export type Query = Record<string, string | number | readonly string[] | undefined>

/** Puts the parameters that are given into an address. */
export function addQuery(url: URL, query: Query = {}): void {
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    for (const each of Array.isArray(value) ? value : [value]) url.searchParams.append(name, String(each))
  }
}

export interface TransportRequest {
  query?: Query
  /** Sent as JSON. */
  body?: unknown
  /** Sent as JSON Lines. */
  text?: string
  /** Sent as bytes. */
  bytes?: Uint8Array
  headers?: Record<string, string>
  signal?: AbortSignal
}

/**
 * How requests reach the service and answers come back: what differs between a terminal, a process that holds the service
 * itself, and a browser.
 */
export interface Transport {
  /** Where the service answers, for messages. */
  readonly address: string
  /**
   * The answer once it is a success; redirects are followed.
   *
   * @throws ApiError where the service refuses, ConnectionError where none answers
   */
  send(method: HttpMethod, path: string, request?: TransportRequest): Promise<Response>
  json<Answer>(method: HttpMethod, path: string, request?: TransportRequest): Promise<Answer>
}
