/** A key that shows itself nowhere: printing it, or turning it into JSON, gives `[secret]`. */
export class EndpointKey {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** The key itself, for the client that sends it. */
  reveal(): string {
    return this.#value
  }

  equals(other: EndpointKey): boolean {
    return this.#value === other.#value
  }

  /** The text with every copy of the key taken out: servers repeat keys in their errors. */
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
