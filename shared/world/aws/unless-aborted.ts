/** What a promise answers, or null as soon as the signal aborts. */
export async function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result | null> {
  if (signal === undefined) return promise
  if (signal.aborted) return null
  const aborted = Promise.withResolvers<null>()
  const abort = () => aborted.resolve(null)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
