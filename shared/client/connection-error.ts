/** No service answered, or the connection broke off. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'connection_failed'
}

/** The innermost reason, such as `ECONNREFUSED`: what `fetch` throws says no more than "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}
