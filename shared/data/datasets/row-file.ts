import type { PackedFile } from './gzip-lines.ts'

export type RowPictures = ReadonlyMap<string, Uint8Array>

export const noPictures: RowPictures = new Map()

export function bytesOf(pictures: RowPictures): number {
  let sum = 0
  for (const { byteLength } of pictures.values()) sum += byteLength
  return sum
}

export interface RowFile {
  /**
   * @param text - the row as one line of JSON, with the names of its pictures
   * @param pictures - those that the file holds itself; none if they are stored beside it
   */
  add(text: string, pictures?: RowPictures): Promise<void>
  /** Ends the file; nothing can be added after. The same rows yield the same bytes. */
  end(): Promise<PackedFile>
  discard(): void
}
