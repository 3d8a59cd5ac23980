import { type FileHandle, open } from 'node:fs/promises'
import { Coalesced } from '../coalesced.ts'

/**
 * Brings a log that grows to disk, off the event loop: one wait at a time, and all that ask while one is under way share the
 * next, which begins after everything they have written.
 */
export class LogSync {
  readonly #path: string
  readonly #waits = new Coalesced()
  #file: Promise<FileHandle> | null = null

  /** @param path of the log, which must exist when {@link sync} is first called, and stay the same file until {@link close} */
  constructor(path: string) {
    this.#path = path
  }

  /** Resolves when everything written before the call is on disk. @throws what the system says when it cannot be brought there */
  sync(): Promise<void> {
    return this.#waits.run(this.#path, () => this.#syncNow())
  }

  /** Waits for what is under way, and lets the file go. */
  async close(): Promise<void> {
    await this.#waits.settled(this.#path)
    await (await this.#file?.catch(() => null))?.close()
  }

  async #syncNow(): Promise<void> {
    this.#file ??= open(this.#path, 'r')
    try {
      await (await this.#file).datasync()
    } catch (error) {
      // The next one opens the file again: it may not have been there yet.
      this.#file = null
      throw error
    }
  }
}
