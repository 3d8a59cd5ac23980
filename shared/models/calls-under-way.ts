/**
 * The calls that are under way, each with a signal that aborts when its caller's does or when all are ended.
 *
 * They do not listen to one signal that lives as long as the process: adding and removing a listener walks over all
 * others, which at a thousand calls costs each of them more than everything else about its signal. `AbortSignal.any`
 * would gather them too.
 */
export class CallsUnderWay {
  readonly #controllers = new Set<AbortController>()
  #ending: { reason: unknown } | null = null

  /** Makes a call with its signal. Once all are ended, the signal is aborted from the start. */
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

  /** Aborts the calls under way, and all that come later. */
  end(reason: unknown): void {
    this.#ending ??= { reason }
    for (const controller of this.#controllers) controller.abort(reason)
  }
}
