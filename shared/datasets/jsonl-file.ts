import { GzipLines } from './gzip-lines.ts'
import type { RowFile } from './row-file.ts'

/** Gzipped JSON Lines: a row a line. */
export function openJsonlFile(): RowFile {
  const lines = new GzipLines()
  return {
    add: (text) => lines.write(text),
    end: () => lines.end(),
    discard: () => lines.discard(),
  }
}
