import { tooLarge } from './cut-lines.ts'
import type { RawRow, RowCutter } from './cut-rows.ts'

const [newline, quote, backslash, comma] = [10, 34, 92, 44]
const [openBracket, closeBracket, openBrace, closeBrace] = [91, 93, 123, 125]

const closes = (byte: number) => byte === closeBracket || byte === closeBrace

/** Cuts one JSON list into its items, or returns one JSON object whole, by brackets and quotes alone. */
export class CutList implements RowCutter {
  readonly #largest: number
  readonly #rowDepth: number
  #depth = 0
  #inString = false
  #isEscaped = false
  #line = 1
  #rowLine: number | null = null
  #pieces: Uint8Array[] = []
  #size = 0
  #isClosed = false

  constructor(largest: number, { isList = true }: { isList?: boolean } = {}) {
    this.#largest = largest
    this.#rowDepth = isList ? 1 : 0
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  push(chunk: Uint8Array): RawRow[] {
    const rows: RawRow[] = []
    let start = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] as number
      if (byte === newline) this.#line += 1
      if (this.#inString) {
        this.#readString(byte)
        continue
      }
      if (byte <= 32 || byte === 0xef || byte === 0xbb || byte === 0xbf) continue
      if (this.#isClosed) {
        this.#rowLine ??= this.#line
        continue
      }
      if (this.#endsItem(byte)) {
        this.#add(chunk.subarray(start, at))
        // Two commas with nothing between them mean a missing row; one before the end does not.
        if (this.#rowLine !== null || byte === comma) rows.push(...this.#take(this.#rowLine ?? this.#line))
      } else if (this.#rowLine === null && this.#depth >= this.#rowDepth) {
        this.#rowLine = this.#line
        start = at
      }
      if (this.#closesAll(byte)) {
        if (this.#rowDepth === 0 && this.#rowLine !== null) {
          this.#add(chunk.subarray(start, at + 1))
          rows.push(...this.#take(this.#rowLine))
        }
        this.#isClosed = true
      }
    }
    this.#add(chunk.subarray(start))
    return rows
  }

  #readString(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (byte === backslash) this.#isEscaped = true
    else if (byte === quote) this.#inString = false
  }

  #endsItem(byte: number): boolean {
    return this.#depth > 0 && this.#depth === this.#rowDepth && (byte === comma || closes(byte))
  }

  #closesAll(byte: number): boolean {
    if (byte === quote) this.#inString = true
    else if (byte === openBracket || byte === openBrace) this.#depth += 1
    else if (closes(byte)) {
      this.#depth -= 1
      return this.#depth === 0
    }
    return false
  }

  end(): RawRow[] {
    if (this.#isClosed && this.#rowLine !== null) {
      return [{ line: this.#rowLine, fault: 'this stands after the end of the JSON, and is not read' }]
    }
    if (this.#isClosed) return []
    const line = this.#rowLine ?? this.#line
    return [
      {
        line,
        fault:
          'a quote or bracket that opens here or later is never closed: the file breaks off, or this row swallows what follows it',
      },
    ]
  }

  #take(line: number): RawRow[] {
    const bytes = Buffer.concat(this.#pieces)
    const isLarge = this.#size > this.#largest
    this.#rowLine = null
    this.#pieces = []
    this.#size = 0
    return isLarge ? [{ line, fault: tooLarge(this.#largest) }] : [{ line, bytes }]
  }

  #add(piece: Uint8Array): void {
    if (this.#rowLine === null || this.#isClosed) return
    this.#size += piece.byteLength
    if (this.#size > this.#largest) this.#pieces = []
    else if (piece.byteLength > 0) this.#pieces.push(piece)
  }
}
