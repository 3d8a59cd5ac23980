import type { RawRow, RowCutter } from './cut-rows.ts'

const newline = 10

export class CutLines implements RowCutter {
  readonly #largest: number
  #pieces: Uint8Array[] = []
  #size = 0
  #line = 1

  constructor(largest: number) {
    this.#largest = largest
  }

  push(chunk: Uint8Array): RawRow[] {
    const rows: RawRow[] = []
    let start = 0
    for (let end = chunk.indexOf(newline); end !== -1; end = chunk.indexOf(newline, start)) {
      this.#add(chunk.subarray(start, end))
      rows.push(...this.end())
      this.#line += 1
      start = end + 1
    }
    this.#add(chunk.subarray(start))
    return rows
  }

  end(): RawRow[] {
    const bytes = Buffer.concat(this.#pieces)
    const size = this.#size
    this.#pieces = []
    this.#size = 0
    const line = this.#line
    if (size > this.#largest) return [{ line, fault: tooLarge(this.#largest) }]
    return bytes.every(isSpace) ? [] : [{ line, bytes }]
  }

  #add(piece: Uint8Array): void {
    this.#size += piece.byteLength
    if (this.#size > this.#largest) this.#pieces = []
    else if (piece.byteLength > 0) this.#pieces.push(piece)
  }
}

/** White space as in JSON; zero bytes and other control characters are damage. */
function isSpace(byte: number): boolean {
  return byte === 32 || byte === 9 || byte === 13 || byte === newline
}

export function tooLarge(largest: number): string {
  return `the row is larger than ${Math.round(largest / 1024 / 1024)} MB`
}
