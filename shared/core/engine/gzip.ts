import { promisify } from 'node:util'
import { crc32, gunzip, gunzipSync, gzip, gzipSync } from 'node:zlib'

const gzipAside = promisify(gzip)
const gunzipAside = promisify(gunzip)

/**
 * Bytes below which compressing synchronously is cheaper than using another thread: for a segment of 1 KB, 12 µs
 * against 200 µs of processor time.
 */
const small = 64 * 1024

export async function compress(text: string | Uint8Array): Promise<Uint8Array> {
  return text.length < small
    ? gzipSync(text, { level: 3, windowBits: 13, memLevel: 5, chunkSize: 4096 })
    : gzipAside(text)
}

export async function decompress(body: Uint8Array): Promise<Buffer> {
  return body.length < small ? gunzipSync(body) : gunzipAside(body)
}

/** Characters up to which a text is stored: most of a segment are digests, which do not compress. */
const mostStored = 2048

/** As {@link compress}, but a short text becomes a gzip member that holds it as it is (RFC 1951, section 3.2.4). */
export async function wrap(text: string): Promise<Uint8Array> {
  if (text.length > mostStored) return compress(text)
  const length = Buffer.byteLength(text)
  const member = Buffer.allocUnsafe(head.length + 4 + length + 8)
  head.copy(member)
  member.writeUInt16LE(length, head.length)
  member.writeUInt16LE(~length & 0xffff, head.length + 2)
  member.write(text, head.length + 4)
  const end = head.length + 4 + length
  member.writeUInt32LE(crc32(member.subarray(head.length + 4, end)), end)
  member.writeUInt32LE(length, end + 4)
  return member
}

// A gzip header (RFC 1952, section 2.3: deflate, no flags, no time, an unknown system), and the mark of a last block.
const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1])
