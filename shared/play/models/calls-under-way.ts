/**
 * The calls in progress, each with a signal that aborts when its caller's does or when all are ended.
 *
 * They do not listen to one signal that lives as long as the process. Adding and removing a listener walks over all
 * others, and at a thousand calls that costs more than everything else about a signal. `AbortSignal.any` would
 * accumulate them too.
 */
export class CallsUnderWay {
  readonly #controllers = new Set<AbortController>()
  #ending: { reason: unknown } | null = null

  async run<Answer>(
    caller: AbortSignal | undefined,
    call: (signal: AbortSignal) => Promise<Answer>,
  ): Promise<Answer> {
    const controller = new AbortController()
    const abort = () => controller.abort(caller?.reason)
    if (this.#ending !== null) controller.abort(this.#ending.reason)
    else if (caller?.aborted) abort()
    else caller?.addEventListener('abort', abort, { once: true })
    this.#controllers.add(controller)
    try {
      return await call(controller.signal)
    } finally {
      this.#controllers.delete(controller)
      caller?.removeEventListener('abort', abort)
    }
  }

  end(reason: unknown): void {
    this.#ending ??= { reason }
    for (const controller of this.#controllers) controller.abort(reason)
  }
}
