/**
 * A signal that aborts when one of the others does. Unlike `AbortSignal.any` it lets go of them again, so that a signal
 * that lives as long as its process does not gather listeners call by call.
 */
export function linkSignals(signals: readonly AbortSignal[]): { signal: AbortSignal; unlink: () => void } {
  const controller = new AbortController()
  const abort = (event: Event) => controller.abort((event.target as AbortSignal).reason)
  for (const signal of signals) {
    if (signal.aborted) controller.abort(signal.reason)
    else signal.addEventListener('abort', abort, { once: true })
  }
  return {
    signal: controller.signal,
    unlink: () => {
      for (const signal of signals) signal.removeEventListener('abort', abort)
    },
  }
}
