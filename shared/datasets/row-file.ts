import type { PackedFile } from './gzip-lines.ts'

/** The bytes of a row's pictures, by their names. */
export type RowPictures = ReadonlyMap<string, Uint8Array>

export const noPictures: RowPictures = new Map()

export function bytesOf(pictures: RowPictures): number {
  let sum = 0
  for (const { byteLength } of pictures.values()) sum += byteLength
  return sum
}

/** A data file that is being written, row by row, in one of the formats' containers. */
export interface RowFile {
  /**
   * @param text - the row as one line of JSON, with the names of its pictures
   * @param pictures - those that the file holds itself; none where they lie beside it
   */
  add(text: string, pictures?: RowPictures): Promise<void>
  /** Ends the file; nothing can be added after. The same rows give the same bytes. */
  end(): Promise<PackedFile>
  /** Lets go of a file that will not be ended. */
  discard(): void
}
