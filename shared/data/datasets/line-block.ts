const smallest = 16 * 1024
/** UTF-8 takes at most three bytes for a character of a string. */
const widest = 3
const newline = 10

export class LineBlock {
  #bytes = Buffer.allocUnsafeSlow(smallest)
  #used = 0

  get length(): number {
    return this.#used
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#used)
  }

  add(line: string): void {
    this.#reserve(line.length * widest + 1)
    this.#used += this.#bytes.write(line, this.#used)
    this.#bytes[this.#used] = newline
    this.#used += 1
  }

  clear(): void {
    this.#used = 0
  }

  #reserve(more: number): void {
    const needed = this.#used + more
    if (needed <= this.#bytes.byteLength) return
    const grown = Buffer.allocUnsafeSlow(Math.max(needed, this.#bytes.byteLength * 2))
    this.#bytes.copy(grown, 0, 0, this.#used)
    this.#bytes = grown
  }
}
