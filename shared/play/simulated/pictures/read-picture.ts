import { inflateSync } from 'node:zlib'
import { pixelFault } from '../../../core/contracts/picture.ts'

export interface RgbPicture {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

const signature = '89504e470d0a1a0a'
/** Bytes per pixel by PNG colour type, for the supported types. */
const channels: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

/**
 * Reads a PNG of 8 bits in true colour, the format of screenshots. The simulated model is in the functions' bundles,
 * and a library for all kinds of PNG would add much to their cold start.
 *
 * @returns null for another kind of picture
 */
export function readPicture(bytes: Buffer): RgbPicture | null {
  if (bytes.subarray(0, 8).toString('hex') !== signature) return null
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)]
  const [depth, type = 0, , , interlaced] = bytes.subarray(24, 29)
  const size = channels[type]
  if (depth !== 8 || interlaced !== 0 || size === undefined) return null
  if (pixelFault({ width, height }) !== null) return null
  const rows = inflateSync(Buffer.concat(dataOf(bytes)), { maxOutputLength: (width * size + 1) * height })
  unfilter(rows, width * size, size, height)
  const pixels = new Uint8Array(width * height * 3)
  for (let pixel = 0; pixel < width * height; pixel += 1) {
    const at = Math.floor(pixel / width) * (width * size + 1) + 1 + (pixel % width) * size
    pixels.set(rows.subarray(at, at + 3), pixel * 3)
  }
  return { width, height, pixels }
}

function dataOf(bytes: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      found.push(bytes.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  return found
}

/** Each row begins with its filter number (PNG, section 9.2). The filter is undone in place. */
function unfilter(rows: Buffer, stride: number, size: number, height: number): void {
  for (let row = 0; row < height; row += 1) {
    const start = row * (stride + 1) + 1
    const filter = rows[start - 1]
    for (let at = 0; at < stride; at += 1) {
      const left = at >= size ? (rows[start + at - size] ?? 0) : 0
      const above = row > 0 ? (rows[start + at - stride - 1] ?? 0) : 0
      const corner = at >= size && row > 0 ? (rows[start + at - size - stride - 1] ?? 0) : 0
      rows[start + at] = (rows[start + at] ?? 0) + predicted(filter, left, above, corner)
    }
  }
}

function predicted(filter: number | undefined, left: number, above: number, corner: number): number {
  if (filter === 1) return left
  if (filter === 2) return above
  if (filter === 3) return (left + above) >> 1
  if (filter !== 4) return 0
  const estimate = left + above - corner
  const [byLeft, byAbove, byCorner] = [left, above, corner].map((value) => Math.abs(estimate - value)) as [
    number,
    number,
    number,
  ]
  if (byLeft <= byAbove && byLeft <= byCorner) return left
  return byAbove <= byCorner ? above : corner
}
