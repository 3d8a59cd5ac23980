import { type FileHandle, open } from 'node:fs/promises'
import { Coalesced } from '../coalesced.ts'

/**
 * Syncs a growing log to disk, off the event loop: one sync at a time. All callers during one share the next, which
 * begins after all their writes.
 */
export class LogSync {
  readonly #path: string
  readonly #waits = new Coalesced()
  #file: Promise<FileHandle> | null = null

  /**
   * @param path of the log, which must exist when {@link sync} is first called, and stay the same file until {@link
   * close}
   */
  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when everything written before the call is on disk. @throws the system's error if that fails */
  sync(): Promise<void> {
    return this.#waits.run(this.#path, () => this.#syncNow())
  }

  async close(): Promise<void> {
    await this.#waits.settled(this.#path)
    await (await this.#file?.catch(() => null))?.close()
  }

  async #syncNow(): Promise<void> {
    this.#file ??= open(this.#path, 'r')
    try {
      await (await this.#file).datasync()
    } catch (error) {
      // The next one opens the file again: it may not have existed yet.
      this.#file = null
      throw error
    }
  }
}
