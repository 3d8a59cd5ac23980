import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { failureCode, storageError } from './storage-error.ts'

const unfinished = '.partial'

/**
 * Large bodies, one file each under a random name that is never used again. A file is complete and on disk before its
 * name is published, so a crash leaves at most unreferenced files, and `sweep` removes those.
 */
export class BodyFiles {
  readonly #folder: string

  constructor(folder: string) {
    this.#folder = folder
  }

  async write(body: Uint8Array): Promise<string> {
    const name = randomUUID()
    const partial = join(this.#folder, `${name}${unfinished}`)
    try {
      const file = await open(partial, 'wx')
      try {
        await file.writeFile(body)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(partial, join(this.#folder, name))
      await this.#syncFolder()
      return name
    } catch (error) {
      await rm(partial, { force: true })
      throw storageError(error, 'write', partial)
    }
  }

  async read(name: string, offset: number, length: number): Promise<Uint8Array | null> {
    const path = join(this.#folder, name)
    try {
      const file = await open(path, 'r')
      try {
        const body = new Uint8Array(length)
        let filled = 0
        while (filled < length) {
          const { bytesRead } = await file.read(body, filled, length - filled, offset + filled)
          if (bytesRead === 0) return null
          filled += bytesRead
        }
        return body
      } finally {
        await file.close()
      }
    } catch (error) {
      if (failureCode(error) === 'ENOENT') return null
      throw storageError(error, 'read', path)
    }
  }

  async digest(name: string): Promise<string | null> {
    const path = join(this.#folder, name)
    const digest = createHash('sha256')
    try {
      for await (const part of createReadStream(path)) digest.update(part)
    } catch (error) {
      if (failureCode(error) === 'ENOENT') return null
      throw storageError(error, 'read', path)
    }
    return digest.digest('hex')
  }

  async remove(name: string): Promise<void> {
    try {
      await rm(join(this.#folder, name), { force: true })
    } catch (error) {
      process.emitWarning(`Could not remove the unused body ${join(this.#folder, name)}: ${String(error)}`)
    }
  }

  /**
   * Creates the folder if it is missing, and removes unreferenced files.
   * @param known all referenced files, read without an index; null if a row is damaged. Then no whole file is
   * removed.
   */
  async sweep(isReferred: (name: string) => boolean, known: () => Set<string> | null): Promise<void> {
    await mkdir(this.#folder, { recursive: true })
    const unused = (await readdir(this.#folder)).filter((name) => !isReferred(name))
    const whole = unused.filter((name) => !name.endsWith(unfinished))
    const kept = whole.length === 0 ? new Set<string>() : known()
    for (const name of unused) {
      if (name.endsWith(unfinished) || (kept !== null && !kept.has(name))) await this.remove(name)
    }
  }

  /** A rename survives a power cut only once its folder is on disk too. */
  async #syncFolder(): Promise<void> {
    const folder = await open(this.#folder, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}
