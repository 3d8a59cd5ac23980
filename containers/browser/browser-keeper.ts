import type { Browser } from 'playwright-core'

/** The one browser of a host. Where it is gone, the next call starts another. */
export class BrowserKeeper {
  readonly #launch: () => Promise<Browser>
  #browser: Promise<Browser> | null = null
  #isStopped = false

  constructor(launch: () => Promise<Browser>) {
    this.#launch = launch
  }

  /** @throws Error where it does not start, or the host is leaving */
  take(): Promise<Browser> {
    this.#browser = this.#renew(this.#browser)
    return this.#browser
  }

  /** Closes it. Idempotent. */
  async stop(): Promise<void> {
    this.#isStopped = true
    const browser = await this.#browser?.catch(() => null)
    await browser?.close()
  }

  async #renew(earlier: Promise<Browser> | null): Promise<Browser> {
    const kept = await earlier?.catch(() => null)
    if (this.#isStopped) throw new Error('The host is leaving, and its browser is closed.')
    return kept?.isConnected() === true ? kept : this.#launch()
  }
}
