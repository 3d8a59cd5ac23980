/**
 * Runs an action once in the life of the process, at the first call. A failure is not cached, so the next call
 * retries.
 */
export function once<Result>(action: () => Promise<Result>): () => Promise<Result> {
  let done: Promise<Result> | null = null
  return () => {
    if (done) return done
    const started = action()
    done = started
    started.catch(() => {
      done = null
    })
    return started
  }
}
