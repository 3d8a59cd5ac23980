import { damagedError } from '../../world/damage-book.ts'
import type { Objects } from '../../world/ports.ts'
import { compress, decompress } from '../gzip.ts'

/** The segments of one journal, from number `from`, that are in a log and not yet in an object of the journal. */
export interface LogTail {
  writer: string
  from: number
  places: LogPlace[]
}

/** The number of an object of the log, and the segment's first byte and length in it. */
export type LogPlace = [object: number, start: number, length: number]

/**
 * The tails of all journals up to an object of the log, by the journals' prefixes. Each object ends with one. After a
 * sealed one there is no other.
 */
export interface LogIndex {
  sealed?: true
  tails: Record<string, LogTail>
}

const highest = 999_999_999
const lengthBytes = 4
// Bytes read at once from the end of an object: the whole index of a few thousand segments.
const usualIndex = 64 * 1024

/** The key of an object of a log. Later ones sort first, so that a list of one finds the last. */
export function logKey(log: string, number: number): string {
  return `${log}${String(highest - number).padStart(9, '0')}.log`
}

export function numberOfLogKey(log: string, key: string): number {
  return highest - Number.parseInt(key.slice(log.length), 10)
}

/** Segments, each a gzip stream of its own; the index, another; and the index's length in four bytes. */
export async function encodeLogObject(segments: readonly Uint8Array[], index: LogIndex): Promise<Uint8Array> {
  const packed = await compress(JSON.stringify(index))
  const length = Buffer.alloc(lengthBytes)
  length.writeUInt32BE(packed.byteLength)
  return Buffer.concat([...segments, packed, length])
}

export async function readLogIndex(objects: Pick<Objects, 'get'>, key: string): Promise<LogIndex> {
  let end = await readEnd(objects, key, usualIndex)
  const whole = end.body.readUInt32BE(end.body.byteLength - lengthBytes) + lengthBytes
  if (whole > end.size) throw damagedLog(key)
  if (whole > end.body.byteLength) end = await readEnd(objects, key, whole)
  const packed = end.body.subarray(end.body.byteLength - whole, end.body.byteLength - lengthBytes)
  return JSON.parse((await unpackLogged(key, packed)).toString('utf8')) as LogIndex
}

// The checksum of the whole object says nothing of a part.
export async function unpackLogged(key: string, packed: Uint8Array): Promise<Buffer> {
  try {
    return await decompress(packed)
  } catch (error) {
    throw damagedLog(key, error)
  }
}

export function damagedLog(key: string, cause?: unknown): Error {
  return damagedError(`the object "${key}"`, 'its body is not what was written', cause)
}

async function readEnd(
  objects: Pick<Objects, 'get'>,
  key: string,
  length: number,
): Promise<{ body: Buffer; size: number }> {
  const object = await objects.get(key, { start: -length })
  if (object === null) throw new Error(`The object ${key} is missing.`)
  if (object.body.byteLength < lengthBytes) throw damagedLog(key)
  return { body: Buffer.from(object.body), size: object.size }
}
