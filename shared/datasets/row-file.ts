import type { PackedFile } from './gzip-lines.ts'

/** A data file that is being written, row by row, in one of the formats' containers. */
export interface RowFile {
  /** @param text - the row as one line of JSON */
  add(text: string): Promise<void>
  /** Ends the file; nothing can be added after. The same rows give the same bytes. */
  end(): Promise<PackedFile>
  /** Lets go of a file that will not be ended. */
  discard(): void
}
