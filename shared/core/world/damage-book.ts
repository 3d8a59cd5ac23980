import { EspalierError } from '../contracts/errors.ts'

const mostNames = 1000

export class DamageBook {
  readonly #names = new Set<string>()
  readonly #onDamage: (name: string) => void

  /** @param onDamage called once for each damaged name */
  constructor(onDamage: (name: string) => void = () => undefined) {
    this.#onDamage = onDamage
  }

  /** The number of damaged objects, ledger items and files found; 1000 at most. */
  get count(): number {
    return this.#names.size
  }

  /** The damaged names found. Keys name tenants' runs, so do not publish them. */
  get names(): string[] {
    return [...this.#names]
  }

  /**
   * Records damage, and returns the error for its reader.
   * @param name as users know it, such as `the object "runs/r1/run.json"`
   * @param why the symptom, to follow a colon
   */
  note(name: string, why: string, cause?: unknown): EspalierError {
    this.add(name)
    return damagedError(name, why, cause)
  }

  add(name: string): void {
    if (this.#names.has(name) || this.#names.size >= mostNames) return
    this.#names.add(name)
    this.#onDamage(name)
  }
}

export function damagedError(name: string, why: string, cause?: unknown): EspalierError {
  const message = `Damaged in the storage: ${name}: ${why}. It is not served. "espalier verify" lists all damage of a data folder and mends trees; restore the rest from a backup.`
  return new EspalierError('damaged_object', message, cause === undefined ? {} : { cause })
}

export function isDamage(error: unknown): boolean {
  return EspalierError.isInstance(error) && error.code === 'damaged_object'
}
