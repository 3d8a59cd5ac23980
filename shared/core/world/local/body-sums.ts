import { crc32 } from 'node:zlib'

export const sumChunk = 256 * 1024

export function sumsOf(body: Uint8Array): Uint8Array {
  const count = Math.max(1, Math.ceil(body.byteLength / sumChunk))
  const sums = new Uint8Array(count * 4)
  const view = new DataView(sums.buffer)
  for (let chunk = 0; chunk < count; chunk += 1) view.setUint32(chunk * 4, sumOf(body, chunk))
  return sums
}

/**
 * Checks a range of a body, which begins with the chunk `first`, against the sums of the whole.
 * @param size bytes of the whole body
 */
export function sumsHold(
  part: Uint8Array,
  { first, size, sums }: { first: number; size: number; sums: Uint8Array },
): boolean {
  if (sums.byteLength !== Math.max(1, Math.ceil(size / sumChunk)) * 4) return false
  const view = new DataView(sums.buffer, sums.byteOffset, sums.byteLength)
  const count = Math.max(1, Math.ceil(part.byteLength / sumChunk))
  for (let chunk = 0; chunk < count; chunk += 1) {
    if (view.getUint32((first + chunk) * 4) !== sumOf(part, chunk)) return false
  }
  return true
}

export function chunksAround(
  size: number,
  offset: number,
  length: number,
): { first: number; start: number; bytes: number } {
  const first = Math.floor(offset / sumChunk)
  const start = first * sumChunk
  const end = Math.min(size, Math.ceil((offset + length) / sumChunk) * sumChunk)
  return { first, start, bytes: Math.max(0, end - start) }
}

function sumOf(body: Uint8Array, chunk: number): number {
  return crc32(body.subarray(chunk * sumChunk, (chunk + 1) * sumChunk))
}
