import { EspalierError } from '../contracts/errors.ts'

/** Names kept at most. */
const mostNames = 1000

/** The damage that a process has met in its storage since it started. */
export class DamageBook {
  readonly #names = new Set<string>()

  /** How many stored objects, ledger items and files were found damaged; 1000 at most. */
  get count(): number {
    return this.#names.size
  }

  /** What was found damaged. Keys name tenants' runs: not for everybody. */
  get names(): string[] {
    return [...this.#names]
  }

  /**
   * Takes note of damage, and makes the error that its reader gets.
   *
   * @param name as users know it, such as `the object "runs/r1/run.json"`
   * @param why how it shows, to follow a colon
   */
  note(name: string, why: string, cause?: unknown): EspalierError {
    if (this.#names.size < mostNames) this.#names.add(name)
    return damagedError(name, why, cause)
  }
}

/** See {@link DamageBook.note}; for storage without a book. */
export function damagedError(name: string, why: string, cause?: unknown): EspalierError {
  const message = `Damaged in the storage: ${name}: ${why}. It is not served. "espalier verify" lists all damage of a data folder and mends trees; restore the rest from a backup.`
  return new EspalierError('damaged_object', message, cause === undefined ? {} : { cause })
}

/** Whether an error says that stored bytes are not those that were written. */
export function isDamage(error: unknown): boolean {
  return EspalierError.isInstance(error) && error.code === 'damaged_object'
}
