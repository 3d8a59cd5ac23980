/**
 * Does something once for as long as the process lives, whoever asks first; a failure is not kept, so the next who asks
 * tries again.
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
