/**
 * Keeps the first `count` of any number of values, in order, and forgets the others. Memory: twice `count`, however
 * many values pass.
 */
export class FirstOf<Value> {
  readonly #count: number
  readonly #compare: (left: Value, right: Value) => number
  #kept: Value[] = []
  #last: { value: Value } | null = null

  constructor(count: number, compare: (left: Value, right: Value) => number) {
    this.#count = count
    this.#compare = compare
  }

  add(value: Value): void {
    if (this.#last !== null && this.#compare(value, this.#last.value) > 0) return
    this.#kept.push(value)
    if (this.#kept.length >= this.#count * 2) this.#cut()
  }

  values(): Value[] {
    this.#cut()
    return this.#kept
  }

  #cut(): void {
    this.#kept = this.#kept.toSorted(this.#compare).slice(0, this.#count)
    const last = this.#kept[this.#count - 1]
    if (last !== undefined) this.#last = { value: last }
  }
}
