export class ConnectionError extends Error {
  override readonly name = 'ConnectionError'
  readonly code = 'connection_failed'
}

/** The innermost reason, for example `ECONNREFUSED`: the error of `fetch` itself says only "fetch failed". */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.cause === undefined ? error.message : reasonOf(error.cause)
}
