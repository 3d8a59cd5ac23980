/** The header that carries a reservation's id, by which an endpoint's call log knows the call. */
export const callIdHeader = 'x-client-request-id'

export interface WireRequest {
  method?: 'GET'
  url: string
  headers: Readonly<Record<string, string>>
  /** JSON; not sent with `GET`. */
  body: string
  signal?: AbortSignal
}

export interface WireHeaders {
  get(name: string): string | null
}

export interface WireAnswer {
  status: number
  headers: WireHeaders
  text: string
}

/** Sends a request and reads its whole answer. It neither retries nor follows redirects. */
export interface ModelTransport {
  /**
   * @throws UnsentRequestError if it wrote no byte of the request
   * @throws any other error without an answer: a broken connection, too late, too long, aborted
   */
  send(request: WireRequest): Promise<WireAnswer>
  close(): Promise<void>
}

/** No byte of the request was written: no connection was opened, or the caller left first. So nothing was paid. */
export class UnsentRequestError extends Error {
  override readonly name = 'UnsentRequestError'

  /** @param cause what prevented the request */
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** The call took longer than its endpoint's `timeout`. The sender may have worked for it, so it counts as paid. */
export class CallTimeoutError extends Error {
  override readonly name = 'CallTimeoutError'

  constructor() {
    super('no answer in time')
  }
}

export function toWireHeaders(headers: Readonly<Record<string, string | string[] | undefined>>): WireHeaders {
  return {
    get(name) {
      const value = headers[name.toLowerCase()]
      return value === undefined ? null : [value].flat().join(', ')
    },
  }
}

const bodiless = new Set([204, 205, 304])

/**
 * Reads the body of a successful answer: JSON as its value, anything else as its text, nothing as null.
 *
 * @throws SyntaxError if the body is not the JSON that its content type says
 */
export function parseBody({ status, headers, text }: WireAnswer): unknown {
  if (bodiless.has(status) || text === '') return null
  const [type = ''] = (headers.get('content-type') ?? '').split(';')
  const media = type.trim().toLowerCase()
  return media.includes('application/json') || media.endsWith('+json') ? JSON.parse(text) : text
}
