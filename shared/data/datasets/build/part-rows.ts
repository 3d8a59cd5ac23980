import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { LineBlock } from '../gzip-lines.ts'
import type { RowMarks } from '../inspect-row.ts'

export interface PartRow {
  task: number
  marks: RowMarks
  same_action: boolean
  pictures: string[]
  left_out_pictures: number
  calls: boolean
  thoughts: number
  flat_tokens: number
  /** The reason why the format cannot hold it; its text is then empty. */
  unfit: string | null
  /** Its line of lineage, without its number. The number is assigned when a file gets the line. */
  lineage: string
  text: string
}

const compressAside = promisify(zstdCompress)
const decompressAside = promisify(zstdDecompress)

/** Bytes of text compressed together, and compressed bytes stored together. */
const frameBytes = 1024 * 1024
const pieceBytes = 8 * 1024 * 1024
/** These pieces are read once and deleted: fastest compression. */
const fast = { params: { [constants.ZSTD_c_compressionLevel]: 1 }, chunkSize: frameBytes / 4 }
/** Before each frame come its compressed and its uncompressed size in bytes. */
const headBytes = 8
const leastChunk = 64
const newline = 10

export class PieceWriter {
  readonly #store: (piece: number, body: Uint8Array) => Promise<void>
  readonly #lines = new LineBlock()
  #frames: Buffer[] = []
  #bytes = 0
  #count = 0
  #rows = 0

  constructor(store: (piece: number, body: Uint8Array) => Promise<void>) {
    this.#store = store
  }

  async add(row: PartRow): Promise<void> {
    const { task, marks, same_action, unfit, lineage, text } = row
    const { tokens, sha256, prompt, empty_turn, mask } = marks
    const facts: StoredFacts = [
      task,
      tokens,
      sha256,
      prompt,
      empty_turn ? 1 : 0,
      mask,
      unfit,
      same_action ? 1 : 0,
      row.pictures,
      row.left_out_pictures,
      row.calls ? 1 : 0,
      row.thoughts,
      row.flat_tokens,
    ]
    this.#lines.add(JSON.stringify(facts))
    this.#lines.add(lineage)
    this.#lines.add(text)
    this.#rows += 1
    if (this.#lines.length >= frameBytes) await this.#endFrame()
  }

  async end(): Promise<{ count: number; rows: number }> {
    if (this.#lines.length > 0) await this.#endFrame()
    if (this.#frames.length > 0) await this.#endPiece()
    return { count: this.#count, rows: this.#rows }
  }

  async #endFrame(): Promise<void> {
    const frame = await pack(this.#lines.bytes)
    this.#lines.clear()
    this.#frames.push(frame)
    this.#bytes += frame.byteLength
    if (this.#bytes >= pieceBytes) await this.#endPiece()
  }

  async #endPiece(): Promise<void> {
    const body = Buffer.concat(this.#frames)
    this.#frames = []
    this.#bytes = 0
    await this.#store(this.#count, body)
    this.#count += 1
  }
}

export interface PieceOfRows<Tasks> {
  body: Uint8Array
  tasks: Tasks | null
}

export async function* readPartRows<Tasks>(
  pieces: AsyncIterable<PieceOfRows<Tasks>>,
): AsyncGenerator<{ tasks: Tasks; rows: Iterable<PartRow> }> {
  let ahead: { tasks: Tasks; lines: Promise<Buffer> } | null = null
  let tasks: Tasks | null = null
  for await (const piece of pieces) {
    tasks = piece.tasks ?? tasks
    if (tasks === null) throw new Error('The pieces of a part do not begin with its first.')
    for (const lines of unpack(piece.body)) {
      // Prevents an unhandled rejection before its turn.
      lines.catch(() => undefined)
      const next = { tasks, lines }
      if (ahead !== null) yield { tasks: ahead.tasks, rows: rowsOf(await ahead.lines) }
      ahead = next
    }
  }
  if (ahead !== null) yield { tasks: ahead.tasks, rows: rowsOf(await ahead.lines) }
}

function* rowsOf(lines: Buffer): Generator<PartRow> {
  let at = 0
  const next = () => {
    const end = lines.indexOf(newline, at)
    const line = lines.toString('utf8', at, end)
    at = end + 1
    return line
  }
  while (at < lines.byteLength) {
    const facts = JSON.parse(next()) as StoredFacts
    const [task, tokens, sha256, prompt, empty, mask, unfit, same, ...shows] = facts
    const [pictures = [], left_out_pictures = 0, calls = 0, thoughts = 0, flat_tokens = 0] = shows
    const marks = { tokens, sha256, prompt, empty_turn: empty === 1, mask }
    const shown = { pictures, left_out_pictures, calls: calls === 1, thoughts, flat_tokens }
    yield { task, marks, same_action: same === 1, ...shown, unfit, lineage: next(), text: next() }
  }
}

/** The stored form of {@link PieceWriter}; earlier versions lack the last six. */
type StoredFacts = [
  task: number,
  tokens: number,
  sha256: string,
  prompt: string,
  empty_turn: 0 | 1,
  mask: string | null,
  unfit: string | null,
  same_action?: 0 | 1,
  pictures?: string[],
  left_out_pictures?: number,
  calls?: 0 | 1,
  thoughts?: number,
  flat_tokens?: number,
]

async function pack(lines: Buffer): Promise<Buffer> {
  const packed = await compressAside(lines, fast)
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(packed.byteLength, 0)
  head.writeUInt32LE(lines.byteLength, headBytes / 2)
  return Buffer.concat([head, packed])
}

function* unpack(body: Uint8Array): Generator<Promise<Buffer>> {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength)
  for (let at = 0; at < body.byteLength; ) {
    const start = at + headBytes
    const end = start + view.getUint32(at, true)
    yield decompressAside(body.subarray(start, end), {
      chunkSize: Math.max(leastChunk, view.getUint32(at + headBytes / 2, true)),
    })
    at = end
  }
}
