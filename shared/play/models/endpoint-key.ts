/** A key that never shows itself: printing or serializing it yields `[secret]`. */
export class EndpointKey {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  reveal(): string {
    return this.#value
  }

  equals(other: EndpointKey): boolean {
    return this.#value === other.#value
  }

  /** Removes every copy of the key from a text: servers repeat keys in their errors. */
  redact(text: string): string {
    return text.replaceAll(this.#value, '[secret]')
  }

  toString(): string {
    return '[secret]'
  }

  toJSON(): string {
    return '[secret]'
  }
}
