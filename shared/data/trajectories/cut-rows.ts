import { CutLines } from './cut-lines.ts'
import { CutList } from './cut-list.ts'

const signatures: readonly (readonly [bytes: readonly number[], what: string])[] = [
  [[0xff, 0xfe, 0, 0], 'UTF-32. Convert it: iconv -f UTF-32 -t UTF-8'],
  [[0xff, 0xfe], 'UTF-16 (little endian). Convert it: iconv -f UTF-16 -t UTF-8'],
  [[0xfe, 0xff], 'UTF-16 (big endian). Convert it: iconv -f UTF-16 -t UTF-8'],
  [[0x50, 0x41, 0x52, 0x31], 'Parquet. Import it with the command: espalier import FILE.parquet'],
  [[0x1f, 0x8b], 'gzip. Unpack it first; the command does so itself'],
  [[0x28, 0xb5, 0x2f, 0xfd], 'Zstandard. Unpack it first'],
  [[0x50, 0x4b, 3, 4], 'a ZIP archive. Unpack it first'],
]

function guessEncoding(start: Uint8Array): string | null {
  const found = signatures.find(([bytes]) => bytes.every((byte, at) => start[at] === byte))?.[1]
  if (found !== undefined) return `the file is no UTF-8 text; it looks like ${found}.`
  const [first, second] = start
  if (first === undefined || second === undefined || (first !== 0 && second !== 0)) return null
  if (first === 0 && second === 0) return 'the file is no text: it begins with zero bytes.'
  const order = second === 0 ? 'LE' : 'BE'
  return `the file is no UTF-8 text; it looks like UTF-16 without its mark. Convert it: iconv -f UTF-16${order} -t UTF-8.`
}

export type RawRow = { line: number; bytes: Uint8Array } | { line: number; fault: string }

export interface RowCutter {
  push(chunk: Uint8Array): RawRow[]
  end(): RawRow[]
}

/** Maximum bytes of a row: it is held in memory whole. */
export const largestRow = 64 * 1024 * 1024

const newline = 10
const openBrace = '{'.charCodeAt(0)
const openBracket = '['.charCodeAt(0)

/**
 * Cuts a file into the texts of its rows without parsing them, in memory for one row and one chunk: JSON Lines, one
 * JSON list, or one JSON object. A broken row costs only itself, but in a list, an unclosed bracket or quote also
 * costs those after it.
 *
 * @example
 * for await (const row of cutRows(createReadStream('rows.json'))) …
 */
export async function* cutRows(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawRow> {
  let waiting: Uint8Array[] = []
  let size = 0
  let cutter: RowCutter | null = null
  for await (const chunk of chunks) {
    if (cutter !== null) {
      yield* cutter.push(chunk)
      continue
    }
    waiting.push(chunk)
    size += chunk.byteLength
    const isAll = size > largestRow
    // Nothing new is known before a line ends, so one long line is not scanned again and again.
    if (waiting.length > 1 && !chunk.includes(newline) && !isAll) continue
    const start = Buffer.concat(waiting)
    const fault = guessEncoding(start)
    if (fault !== null) {
      yield { line: 1, fault }
      return
    }
    cutter = chooseCutter(start, isAll)
    waiting = cutter === null ? [start] : []
    if (cutter !== null) yield* cutter.push(start)
  }
  if (cutter === null) {
    const start = Buffer.concat(waiting)
    cutter = chooseCutter(start, true)
    if (cutter === null) return
    yield* cutter.push(start)
  }
  yield* cutter.end()
}

function chooseCutter(start: Buffer, isAll: boolean): RowCutter | null {
  const at = start.findIndex((byte) => byte > 32 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf)
  if (at === -1) return null
  if (start[at] === openBracket) return new CutList(largestRow)
  if (start[at] !== openBrace) return new CutLines(largestRow)
  const end = start.indexOf(newline, at)
  const next = end === -1 ? -1 : start.subarray(end).findIndex((byte) => byte > 32)
  if (next === -1) return isAll ? new CutLines(largestRow) : null
  // An object over several lines continues with a name or a bracket, but JSON Lines begin their next row.
  const isLines = start[end + next] === openBrace || isBalanced(start.subarray(at, end))
  return isLines ? new CutLines(largestRow) : new CutList(largestRow, { isList: false })
}

function isBalanced(line: Uint8Array): boolean {
  const list = new CutList(largestRow, { isList: false })
  list.push(line)
  return list.isClosed
}
