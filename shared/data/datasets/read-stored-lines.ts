import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { Objects } from '../../core/world/ports.ts'
import { missingFile } from './missing-file.ts'

/** Bytes per fetch: the first of a hundred usual rows and more. */
const chunkBytes = 256 * 1024

export interface WantedLines {
  skip: number
  take: number
  /** Maximum characters in total: the line that reaches them is the last. @default no bound */
  most?: number
}

export async function readStoredLines(
  objects: Pick<Objects, 'get'>,
  file: { key: string; bytes: number },
  { skip, take, most = Number.POSITIVE_INFINITY }: WantedLines,
): Promise<string[]> {
  const source = Readable.from(chunksOf(objects, file))
  const unpacked = createGunzip()
  source.once('error', (error) => unpacked.destroy(error))
  source.pipe(unpacked)
  const lines: string[] = []
  let number = 0
  let characters = 0
  // Of the current line. Joined once, because a line may have many megabytes.
  let pieces: string[] = []
  const isDone = () => lines.length === take || characters >= most
  const endLine = (): void => {
    if (number >= skip && !isDone()) {
      const line = pieces.join('')
      lines.push(line)
      characters += line.length
    }
    number += 1
    pieces = []
  }
  try {
    unpacked.setEncoding('utf8')
    for await (const text of unpacked) {
      for (const [index, piece] of String(text).split('\n').entries()) {
        if (index > 0) endLine()
        if (number >= skip) pieces.push(piece)
      }
      if (isDone()) break
    }
  } finally {
    source.destroy()
    unpacked.destroy()
  }
  return lines
}

async function* chunksOf(
  objects: Pick<Objects, 'get'>,
  { key, bytes }: { key: string; bytes: number },
): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes; start += chunkBytes) {
    const object = await objects.get(key, { start, end: start + chunkBytes - 1 })
    if (object === null) throw missingFile(key)
    yield object.body
  }
}
