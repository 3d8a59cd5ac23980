export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Query = Record<string, string | number | undefined>

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
