/**
 * Does something once in the life of the process, at the first call; a failure is not kept, so the next call tries again.
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
