import type { Browser } from 'playwright-core'

export class BrowserKeeper {
  readonly #launch: () => Promise<Browser>
  #browser: Promise<Browser> | null = null
  #isStopped = false

  constructor(launch: () => Promise<Browser>) {
    this.#launch = launch
  }

  take(): Promise<Browser> {
    this.#browser = this.#renew(this.#browser)
    return this.#browser
  }

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
