import { GzipLines } from './gzip-lines.ts'
import type { RowFile } from './row-file.ts'

/** One gzipped JSON list, a row a line in it. */
export function openJsonFile(): RowFile {
  const lines = new GzipLines()
  let last: string | null = null

  return {
    async add(text) {
      await lines.write(last === null ? '[' : `${last},`)
      last = text
    },
    async end() {
      if (last === null) await lines.write('[')
      else await lines.write(last)
      await lines.write(']')
      return lines.end()
    },
    discard: () => lines.discard(),
  }
}
